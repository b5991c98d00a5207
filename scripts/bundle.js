// Joins the program `handraise` and the store's thread into few files. Starting means reading files: 820 of them
// before, and 905 ms until a worker was ready, against 365 ms with this (docs/decisions/0014).
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** @param {string} root */
export async function bundle(root) {
  const build = await rolldown({
    cwd: root,
    input: { handraise: 'dist/cli/main.js', 'store-thread': 'dist/store/sqlite/store-thread.js' },
    platform: 'node',
    // A native module finds its binary from its own place.
    external: ['libsql'],
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir: 'dist/bundle',
    format: 'esm',
    comments: { legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  // Afterwards, so that a program that is started meanwhile finds one whole set of files or the other.
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(join(root, 'dist/bundle')))
    if (!written.has(file)) rmSync(join(root, 'dist/bundle', file));
}
