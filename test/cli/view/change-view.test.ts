import { expect, test } from 'vitest';
import { palette } from '../../../src/cli/terminal/colours.js';
import { wantedPager } from '../../../src/cli/terminal/pager.js';
import { changeSummary, fileLines, statLines } from '../../../src/cli/view/change-view.js';
import type { ChangedPath } from '../../../src/protocol/changes.js';

const plain = palette({ isColoured: false });
const file: ChangedPath = {
  path: 'src/a.ts',
  status: 'changed',
  kind: 'file',
  binary: false,
  added: 2,
  removed: 1,
};

test('a file is shown with what happened to it, and nothing in it moves the cursor', () => {
  const hunk = {
    oldStart: 1,
    oldLines: 2,
    newStart: 1,
    newLines: 2,
    heading: 'f()\u001b[2J',
    lines: [' same', '-gone', '+new\u001b]0;title\u0007\rover', '\\ No newline at end of file'],
  };
  const shown = fileLines(
    { ...file, path: 'a\u202eb\nc', from: 'old', status: 'renamed', hunks: [hunk] },
    plain,
  );
  for (const control of ['\u001B', '\u0007', '\r', '\u202E']) expect(shown.join('')).not.toContain(control);
  expect(shown.slice(2)).toHaveLength(5);
  expect(shown[1]).toBe('@@ -1,2 +1,2 @@ f()');
  expect(fileLines({ ...file, added: null, removed: null, binary: true, status: 'added' }, plain)).toEqual([
    'src/a.ts  new, binary',
    '',
  ]);
  expect(fileLines({ ...file, mode: { before: '100644', after: '100755' }, hunks: [] }, plain)[0]).toBe(
    'src/a.ts  may be executed now, +2 −1',
  );
});

test('the statistics are aligned and fit the terminal', () => {
  const files = [
    file,
    { ...file, path: 'x'.repeat(200), added: 300, removed: 0 },
    { ...file, path: '日本.txt', from: 'b', added: null, removed: null, binary: true },
  ];
  const shown = statLines(files, { colours: plain, columns: 80 });
  expect(shown.map((line) => line.indexOf('|'))).toEqual([
    shown[0]?.indexOf('|'),
    shown[0]?.indexOf('|'),
    expect.any(Number),
  ]);
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(80);
  expect(shown[1]).toMatch(/ \| {4}300 \+{30}$/);
  expect(shown[2]).toMatch(/\| binary$/);
});

test('the summary says how much, where and against what', () => {
  const page = {
    revision: 'r',
    base: { commit: 'c', why: 'the merge base with main' },
    branch: 'handraise/x',
    isWorktree: true,
    files: [],
    notes: [],
  };
  expect(changeSummary({ ...page, totals: { files: 1, added: 2, removed: 3 } })).toBe(
    '1 file, +2 −3 on handraise/x, against the merge base with main',
  );
  expect(changeSummary({ ...page, totals: { files: 0, added: 0, removed: 0 } })).toBe(
    'Nothing changed since the merge base with main.',
  );
});

test.each([
  [{}, undefined, 'less'],
  [{ PAGER: 'more' }, undefined, 'more'],
  [{ PAGER: 'more' }, 'delta', 'delta'],
  [{ PAGER: 'more', GIT_PAGER: 'bat' }, 'delta', 'bat'],
  [{ GIT_PAGER: '' }, 'delta', undefined],
  [{ PAGER: 'cat' }, undefined, undefined],
])('of %j and core.pager %s the pager is %s', (env, configured, wanted) => {
  expect(wantedPager(env, () => configured)).toBe(wanted);
});
