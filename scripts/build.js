// Compiles src/ to dist/ with plain tsc, bundles the program that people start, and builds the web console. A stale file in dist would be shipped, so files without a source go.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.js';
import { buildConsole } from './console.js';

const root = new URL('..', import.meta.url).pathname;
const tsc = join(root, 'node_modules/.bin/tsc');

removeStale('dist', 'src');
const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (status === 0) {
  await bundle(root);
  await buildConsole(root);
}
process.exitCode = status ?? 1;

/**
 * @param {string} built
 * @param {string} source
 */
function removeStale(built, source) {
  if (!existsSync(join(root, built))) {
    // tsc skips emit when its build info says that nothing changed, whether or not dist is still there.
    rmSync(join(root, 'node_modules/.cache/handraise/build.tsbuildinfo'), { force: true });
    return;
  }
  for (const entry of readdirSync(join(root, built), { withFileTypes: true })) {
    const builtPath = join(built, entry.name);
    if (builtPath === 'dist/bundle' || builtPath === 'dist/web') continue;
    if (entry.isDirectory()) {
      if (existsSync(join(root, source, entry.name))) removeStale(builtPath, join(source, entry.name));
      else rmSync(join(root, builtPath), { recursive: true });
      continue;
    }
    const sourceName = entry.name.replace(/\.d\.ts$|\.js$/, '');
    if (!['.ts', '.tsx'].some((ending) => existsSync(join(root, source, sourceName + ending)))) {
      rmSync(join(root, builtPath));
    }
  }
}
