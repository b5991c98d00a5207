import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/prompts.md');
const named = [...page.matchAll(/`((?:test|src\/testing)\/[^`]+\.ts)`\s"([^"]+)"/g)].map(
  ([, file = '', name = '']) => ({
    file,
    name,
  }),
);

test('every test that docs/prompts.md names is there', () => {
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter(({ file, name }) => !existsSync(new URL(file, root)) || !read(file).includes(name)),
  ).toEqual([]);
});

test('every way to ask has a test that proves it, or says that there is none', () => {
  const [, table = ''] = page.split('## Every way an agent can ask');
  const rows = table
    .split('\n')
    .filter((line) => /^\| (Claude|Codex|OpenCode|ACP|Amp, exec|npm:NAME|all) /.test(line));
  expect(rows.length).toBeGreaterThan(22);
  expect(rows.filter((row) => !/`(test|src\/testing)\//.test(row))).toEqual([]);
});
