import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const lines = read('SECURITY.md').split('\n');

const isThere = (path: string) =>
  ['', '.test.ts'].some((ending) => existsSync(new URL(`${path}${ending}`, root)));

test('every test that SECURITY.md names by file and name is there', () => {
  const named = lines.flatMap((line) =>
    [...line.matchAll(/`(test\/[^`]+\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(
    named.filter(({ file, name }) => !existsSync(new URL(file, root)) || !read(file).includes(name)),
  ).toEqual([]);
});

test('every row of the review has a test, from 1 to 15', () => {
  const rows = lines.flatMap((line) => /^\| (\d+) +\|.*`test\//.exec(line)?.[1] ?? []).map(Number);
  expect([...new Set(rows)]).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
});

test('every test file or folder that it names is there', () => {
  const named = lines.flatMap((line) => [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
