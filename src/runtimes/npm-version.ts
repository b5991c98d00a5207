import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { stringField } from '../protocol/string-field.js';

/** The version of the npm package that a program is part of, behind the link that npm makes; undefined where npm did not install it. */
export function npmVersion(program: string): string | undefined {
  try {
    const parts = realpathSync(program).split(sep);
    const name = parts.lastIndexOf('node_modules') + 1;
    if (name === 0) return undefined;
    const folder = parts.slice(0, name + (parts[name]?.startsWith('@') ? 2 : 1)).join(sep);
    return stringField(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), 'version');
  } catch {
    // Whoever asks goes on without a version.
    return undefined;
  }
}
