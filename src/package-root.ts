import { existsSync } from 'node:fs';

/** The folder of this package, wherever in it the code was built to. */
export const packageRoot: URL = rootAbove(new URL('./', import.meta.url));

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return rootAbove(new URL('../', folder));
}
