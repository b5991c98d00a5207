// Packs without writing, and compares what would be published with what must and must not be in it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { bin, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
});
const [{ files, size, unpackedSize }] = JSON.parse(packed.stdout);
/** @type {string[]} */
const paths = files.map((/** @type {{ path: string }} */ { path }) => path);

const allowed =
  /^(bin|dist|deploy|docs|examples)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|ARCHITECTURE\.md|SECURITY\.md)$/;
const needed = [
  ...Object.values(bin),
  ...entries(exports),
  'README.md',
  'LICENSE',
  'docs/schemas/event.json',
];
const complaints = [
  ...needed
    .map(bare)
    .filter((path) => !path.includes('*') && !paths.includes(path))
    .map((path) => `missing: ${path}`),
  ...paths.filter((path) => !allowed.test(path)).map((path) => `should not be published: ${path}`),
];

for (const complaint of complaints) console.error(complaint);
console.log(`${paths.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`);
process.exitCode = complaints.length > 0 ? 1 : 0;

/**
 * @param {unknown} node
 * @returns {string[]}
 */
function entries(node) {
  return typeof node === 'string' ? [node] : Object.values(Object(node)).flatMap(entries);
}

/** @param {string} path */
function bare(path) {
  return path.replace(/^\.\//, '');
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${Math.round(bytes / 1024)} KiB`;
}
