import { existsSync, readFileSync } from 'node:fs';

/** The folder of this package, wherever in it the code was built to. */
export const packageRoot: URL = rootAbove(new URL('./', import.meta.url));

/** The program `handraise` as a file. */
export const programFile: string = new URL('bin/handraise.js', packageRoot).pathname;

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return rootAbove(new URL('../', folder));
}

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  const { version } = { version: undefined, ...(typeof manifest === 'object' ? manifest : {}) };
  return typeof version === 'string' ? version : 'unknown';
}
