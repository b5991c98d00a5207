import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const script = new URL('../../scripts/protocol-coverage.js', import.meta.url).pathname;
const page = new URL('../../docs/runner-protocol.md', import.meta.url).pathname;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-coverage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, complaints: stderr.split('\n').filter((line) => line !== '') };
}

it('finds a test for every row of the page, and every schema on it', () => {
  expect(run()).toEqual({ status: 0, complaints: [] });
});

it('bites when a row has no test', () => {
  // Written in two pieces, because this file is searched too.
  const label = ['[command', 'dance]'].join(' ');
  const changed = join(folder, 'more.md');
  const text = readFileSync(page, 'utf8');
  writeFileSync(changed, text.replace(/^\| `interrupt` /m, '| `dance` | | twirls |\n$&'));
  expect(run(changed)).toEqual({
    status: 1,
    complaints: [`${label} has no test in test/runner that names it`],
  });
});

it('bites when the page forgets an event or a command', () => {
  const changed = join(folder, 'fewer.md');
  const text = readFileSync(page, 'utf8');
  const kept = text.split('\n').filter((line) => !/^\| `(tool_end|set_model)` /.test(line));
  writeFileSync(changed, kept.join('\n'));
  expect(run(changed)).toEqual({
    status: 1,
    complaints: [
      '[event tool_end] is in docs/schemas and not on the page',
      '[command set_model] is in docs/schemas and not on the page',
    ],
  });
});

it('bites when the page forgets a field', () => {
  const changed = join(folder, 'field.md');
  writeFileSync(changed, readFileSync(page, 'utf8').replace('`planContent`, ', ''));
  expect(run(changed)).toEqual({
    status: 1,
    complaints: ['[event plan_approval_request] planContent is in docs/schemas and not on the page'],
  });
});

it('bites when the tests are gone, except for rows of later', () => {
  const changed = join(folder, 'later.md');
  const text = readFileSync(page, 'utf8');
  writeFileSync(changed, text.replace(/^\| `--cwd` /m, '| `--soon` | | | **later**: comes one day |\n$&'));
  const { status, complaints } = run(changed, folder);
  expect(status).toBe(1);
  expect(complaints).toContain('[arg --cwd] has no test in test/runner that names it');
  expect(complaints.filter((line) => /--soon/.test(line))).toEqual([]);
});
