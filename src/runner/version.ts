import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** The version of this package, from its own package.json. */
export function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
