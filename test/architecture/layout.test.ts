import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importTable } from './import-table.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const entries = readdirSync(source, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

function rooms(folder: string): Set<string> {
  const inside = readdirSync(join(source, folder), { withFileTypes: true });
  return new Set(inside.filter((entry) => entry.isDirectory()).map(({ name }) => name));
}

/** The folders that a row of the table names after its own. */
function roomsIn(row = ''): Set<string> {
  return new Set(Array.from(row.matchAll(/ `(?<name>[a-z-]+)\/`/g), ({ groups }) => groups?.['name'] ?? ''));
}

test('every folder of src/ is a room of the design', () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  expect(folders.map(({ name }) => name).filter((name) => !(name in importTable))).toEqual([]);
});

test('ARCHITECTURE.md names every room, and every room that it names is there', () => {
  const lines = readFileSync(fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url)), 'utf8').split(
    '\n',
  );
  const hosts = lines.flatMap((line) => /^\| `(?<name>[a-z-]+)\/` /.exec(line)?.groups?.['name'] ?? []);

  expect(new Set(hosts.filter((name) => !['bin', 'test', 'bench', 'docs'].includes(name)))).toEqual(
    rooms('host'),
  );
  for (const folder of ['domain', 'process', 'store'])
    expect([folder, roomsIn(lines.find((line) => line.startsWith(`| \`src/${folder}/\``)))]).toEqual([
      folder,
      rooms(folder),
    ]);
});

test('no folder of src/ is empty', () => {
  const folders = entries.filter((entry) => entry.isDirectory());
  const empty = folders
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((folder) => readdirSync(folder).length === 0);

  expect(empty).toEqual([]);
});

test('no file of src/ is longer than 400 lines', () => {
  const long = files
    .map((file) => ({
      file: file.slice(source.length),
      lines: readFileSync(file, 'utf8').split('\n').length - 1,
    }))
    .filter(({ lines }) => lines > 400);

  expect(long).toEqual([]);
});

test('no file of src/ is named after nothing in particular', () => {
  const vague = files.filter((file) => /\/(utils?|helpers?|common|types|misc|shared)\.tsx?$/.test(file));

  expect(vague).toEqual([]);
});
