// Says which dependency is not pinned to one version, and what is wrong with a lockfile: a download address, or
// a platform that is left out. npm leaves platforms out when a mirror lacks them, and `npm ci` then refuses.
// Takes the folders to look at; without any, the package and the runtimes that tests install.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const runtimes = join(root, 'test/harness/runtimes');

const given = process.argv.slice(2);
const folders =
  given.length > 0
    ? given
    : [root, join(root, 'scripts/conformance'), ...readdirSync(runtimes).map((name) => join(runtimes, name))];
const complaints = folders.flatMap((folder) => [
  ...ranges(join(folder, 'package.json')),
  ...addresses(join(folder, 'package-lock.json')),
  ...holes(join(folder, 'package-lock.json')),
]);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;

/** @param {string} file */
function ranges(file) {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))
    .map(([name, version]) => `${file}: ${name} is "${version}"; name one exact version.`);
}

/** @param {string} file */
function addresses(file) {
  return Object.entries(packagesOf(file))
    .filter(([, entry]) => entry.resolved !== undefined)
    .map(([name]) => `${file}: ${name} has a download address; .npmrc leaves it out on npm install.`);
}

/** @param {string} file */
function holes(file) {
  const packages = packagesOf(file);
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `${file}: ${name} has no entry, though ${path} names it.`),
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { resolved?: string, optionalDependencies?: Record<string, string> }>}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
