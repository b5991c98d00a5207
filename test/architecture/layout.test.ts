import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importTable } from './import-table.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const entries = readdirSync(source, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

test('every folder of src/ is a room of the design', () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  expect(folders.map(({ name }) => name).filter((name) => !(name in importTable))).toEqual([]);
});

test('ARCHITECTURE.md names every room, and every room that it names is there', () => {
  const page = readFileSync(fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url)), 'utf8');
  const rooms = (folder: string) =>
    readdirSync(join(source, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const named = (text: string) =>
    Array.from(text.matchAll(/`(?<name>[a-z-]+)\/`/g), ({ groups }) => groups?.['name']);
  const row = (folder: string) =>
    page.split('\n').find((line) => line.startsWith(`| \`src/${folder}/\``)) ?? '';
  const hosts = page
    .split('\n')
    .flatMap((line) => /^\| `(?<name>[a-z-]+)\/` /.exec(line)?.groups?.['name'] ?? []);

  expect(hosts.filter((name) => !['bin', 'test', 'bench', 'docs'].includes(name)).toSorted()).toEqual(
    rooms('host').toSorted(),
  );
  for (const folder of ['domain', 'process', 'store'])
    expect([folder, named(row(folder)).toSorted()]).toEqual([folder, rooms(folder).toSorted()]);
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
