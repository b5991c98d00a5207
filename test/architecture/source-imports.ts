import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** An import as it stands in src/, by the rooms at both ends. */
export interface SourceImport {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

/** Every relative import of src/, the dynamic ones included, which lint does not see. */
export function sourceImports(): SourceImport[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g);
      return Array.from(specifiers, ([, specifier = '']) => ({
        file,
        room: roomOf(file),
        target: roomOf(relative(source, resolve(source, file, '..', specifier))),
      }));
    });
}

function roomOf(file: string): string {
  return file.split(sep)[0]?.replace(/\.[jt]s$/, '') ?? '';
}
