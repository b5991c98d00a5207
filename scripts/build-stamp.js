// Says whether dist/ is what the sources make now.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Beside dist and not in it: what is in dist is published. It goes with node_modules, whose versions it counts on.
export const stampFile = 'node_modules/.cache/handraise/build-stamp';

const inputs = [
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.js',
  'scripts/bundle.js',
  'scripts/console.js',
];

/**
 * All that goes into dist/, in one word.
 * @param {string} root
 */
export function fingerprintOfSources(root) {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).toSorted();
  for (const file of [...inputs, ...sources.map((name) => join('src', name))]) {
    if (statSync(join(root, file)).isDirectory()) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * What dist/ was built from; null when that is not known, or when there is no dist/.
 * @param {string} root
 */
export function builtFrom(root) {
  try {
    statSync(join(root, 'dist/bundle/handraise.js'));
    statSync(join(root, 'dist/web/index.html'));
    return readFileSync(join(root, stampFile), 'utf8');
  } catch {
    return null;
  }
}
