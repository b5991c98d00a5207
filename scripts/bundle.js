// Joins the programs `handraise`, `handraise up` and `handraise-runner` and the store's thread into few files. Starting means reading
// files: 820 of them before, and 905 ms until a worker was ready, against 365 ms with this (docs/decisions/0014).
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { commonChunk, workerChunks } from './chunks.js';

/**
 * @typedef {object} Program
 * @property {string} dir
 * @property {Record<string, string>} input
 * @property {import('rolldown').CodeSplittingGroup[]} [groups] Modules that go into one file; of the others, those that the same ones need.
 */

const storeThread = { 'store-thread': 'dist/store/sqlite/store-thread.js' };

/** @param {string} root @returns {Program[]} Each apart, so that none loads what only another one needs. */
const programsOf = (root) => [
  {
    dir: 'dist/bundle',
    input: { handraise: 'dist/cli/main.js', ...storeThread },
    groups: [commonChunk(join(root, 'dist'))],
  },
  {
    dir: 'dist/bundle/worker',
    input: { worker: 'dist/cli/worker-main.js' },
    groups: [workerChunks(join(root, 'dist'))],
  },
  { dir: 'dist/bundle/worker', input: storeThread },
  { dir: 'dist/bundle/runner', input: { runner: 'dist/runner/main.js' } },
];

/** @param {string} root */
export async function bundle(root) {
  /** @type {Map<string, Set<string>>} */
  const written = new Map();
  for (const program of programsOf(root)) {
    const names = written.get(program.dir) ?? new Set();
    for (const name of await bundleProgram(root, program)) names.add(name);
    written.set(program.dir, names);
  }
  // Afterwards, so that a program that is started meanwhile finds one whole set of files or the other.
  for (const [dir, names] of written) removeOthers(join(root, dir), names);
}

/** @param {string} root @param {Program} program @returns {Promise<string[]>} What was written. */
async function bundleProgram(root, { dir, input, groups }) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Each finds a binary from its own place. pg is loaded by those alone who have a database.
    external: ['libsql', 'pg', /^@anthropic-ai\/claude-agent-sdk/, 'react-devtools-core'],
    // React has a slow half for developers, which is left out; so is Ink's debugger.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    ...(groups && { preserveEntrySignatures: 'allow-extension' }),
    // What one program loads when it needs it lies, in another, in one file with what it always needs.
    checks: { ineffectiveDynamicImport: groups === undefined },
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir,
    format: 'esm',
    // An idle worker keeps its sources in memory: 3.5 MB less of 58. Functions and classes keep their names, for stack traces.
    minify: { compress: true, mangle: { keepNames: true } },
    comments: { legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...(groups && { codeSplitting: { groups, includeDependenciesRecursively: false } }),
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

/** @param {string} dir @param {ReadonlySet<string>} written */
function removeOthers(dir, written) {
  for (const file of readdirSync(dir)) {
    const path = join(dir, file);
    if (!written.has(file) && statSync(path).isFile()) rmSync(path);
  }
}
