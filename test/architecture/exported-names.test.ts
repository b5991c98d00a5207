import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const declared =
  /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) +(?<name>[\w$]+)/gm;

/** The files that declare each name; a schema and its type are one declaration, and passing a name on is none. */
function declarations(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, text] of files) {
    const names = new Set(Array.from(text.matchAll(declared), ({ groups }) => groups?.['name'] ?? ''));
    for (const name of names) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

function twice(files: ReadonlyMap<string, string>): Record<string, string[]> {
  return Object.fromEntries([...declarations(files)].filter(([, where]) => where.length > 1));
}

test('one exported name means one thing in the whole program', () => {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const found = twice(new Map(files.map((file) => [file.slice(source.length), readFileSync(file, 'utf8')])));
  expect(found).toEqual({});
});

test('a name that is declared twice is found, and a schema with its type is not', () => {
  const files = new Map([
    [
      'a.ts',
      'export const Note = z.string();\nexport type Note = z.infer<typeof Note>;\nexport class Page {}\n',
    ],
    ['b.ts', "export type { Note } from './a.js';\nexport async function* Page() {}\nconst Line = 1;\n"],
    ['c.ts', 'export interface Line {}\n'],
  ]);
  expect(twice(files)).toEqual({ Page: ['a.ts', 'b.ts'] });
});
