// Compiles src/ to dist/ with plain tsc, bundles the program that people start, and builds the web console. A stale file in dist would be shipped, so files without a source go.
// What is built already is not built again: a run of the tests beside this one may be using it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFrom, fingerprintOfSources, stampFile } from './build-stamp.js';

const root = new URL('..', import.meta.url).pathname;
const tsc = join(root, 'node_modules/.bin/tsc');

const sources = fingerprintOfSources(root);
if (builtFrom(root) !== sources) process.exitCode = await build();

async function build() {
  rmSync(join(root, stampFile), { force: true });
  removeStale('dist', 'src');
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  const { bundle } = await import('./bundle.js');
  const { buildConsole } = await import('./console.js');
  await bundle(root);
  await buildConsole(root);
  writeFileSync(join(root, stampFile), sources);
  return 0;
}

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
