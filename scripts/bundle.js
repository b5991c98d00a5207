// Joins the programs `handraise` and `handraise-runner` and the store's thread into few files. Starting means reading files:
// 820 of them before, and 905 ms until a worker was ready, against 365 ms with this (docs/decisions/0014).
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The runner apart, so that neither program loads what only the other one needs. */
const programs = [
  {
    dir: 'dist/bundle',
    input: { handraise: 'dist/cli/main.js', 'store-thread': 'dist/store/sqlite/store-thread.js' },
  },
  { dir: 'dist/bundle/runner', input: { runner: 'dist/runner/main.js' } },
];

/** @param {string} root */
export async function bundle(root) {
  for (const program of programs) await bundleProgram(root, program);
}

/** @param {string} root @param {{ dir: string, input: Record<string, string> }} program */
async function bundleProgram(root, { dir, input }) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // Each finds a binary from its own place. pg is loaded by those alone who have a database.
    external: ['libsql', 'pg', /^@anthropic-ai\/claude-agent-sdk/, 'react-devtools-core'],
    // React has a slow half for developers, which is left out; so is Ink's debugger.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
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
  });
  await build.close();
  // Afterwards, so that a program that is started meanwhile finds one whole set of files or the other.
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(join(root, dir))) {
    const path = join(root, dir, file);
    if (!written.has(file) && statSync(path).isFile()) rmSync(path);
  }
}
