// Joins the program `handraise` and the store's thread into few files. Starting means reading files: 820 of them
// before, and 905 ms until a worker was ready, against 365 ms with this (docs/decisions/0014).
import { rolldown } from 'rolldown';

/** @param {string} root */
export async function bundle(root) {
  const build = await rolldown({
    cwd: root,
    input: { handraise: 'dist/cli/main.js', thread: 'dist/store/sqlite/thread.js' },
    platform: 'node',
    // A native module finds its binary from its own place.
    external: ['libsql'],
    logLevel: 'warn',
  });
  await build.write({
    dir: 'dist/bundle',
    format: 'esm',
    comments: { legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
}
