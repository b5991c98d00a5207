import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where npm installed a package, as modules of ours or of another folder find it; null where it is not there. */
export function packageFolder(name: string, from?: string): string | null {
  const base = from === undefined ? import.meta.url : join(from, 'package.json');
  // Not by resolving a file of it: a package need not let others have its package.json.
  const places = createRequire(base).resolve.paths(name) ?? [];
  const found = places.find((place) => existsSync(join(place, name, 'package.json')));
  return found === undefined ? null : join(found, name);
}
