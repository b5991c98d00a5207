import { expect, test } from 'vitest';
import { readHunks } from '../../../src/process/git/hunks.js';
import { parseTreeChanges } from '../../../src/process/git/tree-changes.js';

const room = 100_000;

test('the hunks of a patch are read with their places, headings and lines', () => {
  const patch = [
    'diff --git a/x b/x',
    'index 1..2 100644',
    '--- a/x',
    '+++ b/x',
    '@@ -1,2 +1,3 @@ function one() {',
    ' same',
    '-gone',
    '+new',
    '+--- looks like a header',
    '@@ -10 +11 @@',
    '-old end',
    '\\ No newline at end of file',
    '+new end',
    '',
  ].join('\n');
  expect(readHunks(patch, room)).toEqual({
    isWhole: true,
    hunks: [
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 3,
        heading: 'function one() {',
        lines: [' same', '-gone', '+new', '+--- looks like a header'],
      },
      {
        oldStart: 10,
        oldLines: 1,
        newStart: 11,
        newLines: 1,
        heading: '',
        lines: ['-old end', '\\ No newline at end of file', '+new end'],
      },
    ],
  });
});

test.each([
  ['nothing', ''],
  ['a header alone', 'diff --git a/x b/y\nrename from x\nrename to y\n'],
  ['no patch at all', 'Binary files a/x and b/x differ\n'],
])('%s has no hunks', (_what, patch) => {
  expect(readHunks(patch, room)).toEqual({ isWhole: true, hunks: [] });
});

test('a file that became a link is two hunks, and no header is taken for a line', () => {
  const patch =
    'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\n' +
    'diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n';
  expect(readHunks(patch, room).hunks.map(({ lines }) => lines)).toEqual([
    ['-text'],
    ['+target', '\\ No newline at end of file'],
  ]);
});

test('what does not fit is missing, and it is said', () => {
  const patch = `@@ -0,0 +1,1000 @@\n${'+a line\n'.repeat(1000)}`;
  const { hunks, isWhole } = readHunks(patch, 500);
  expect(isWhole).toBe(false);
  expect(hunks[0]?.lines.length).toBeLessThan(50);
  const long = readHunks(`@@ -0,0 +1 @@\n+${'x'.repeat(50_000)}\n`, room);
  expect(long.isWhole).toBe(false);
  expect(long.hunks[0]?.lines[0]?.length).toBe(10_000);
});

test('the raw output of git is read with modes, objects and counts', () => {
  const output =
    ':100644 100755 aaa bbb M\0a b\0:000000 100644 000 ccc A\0n\tew\0:100644 100644 ddd ddd R100\0old\0new\0:120000 000000 eee 000 D\0gone\0' +
    '3\t1\ta b\0-\t-\tn\tew\0' +
    '0\t0\t\0old\0new\0' +
    '0\t1\tgone\0';
  expect(parseTreeChanges(output)).toEqual([
    {
      path: 'a b',
      kind: 'changed',
      before: { mode: '100644', object: 'aaa' },
      after: { mode: '100755', object: 'bbb' },
      added: 3,
      removed: 1,
    },
    { path: 'n\tew', kind: 'added', after: { mode: '100644', object: 'ccc' }, added: null, removed: null },
    {
      path: 'new',
      from: 'old',
      kind: 'renamed',
      before: { mode: '100644', object: 'ddd' },
      after: { mode: '100644', object: 'ddd' },
      added: 0,
      removed: 0,
    },
    { path: 'gone', kind: 'deleted', before: { mode: '120000', object: 'eee' }, added: 0, removed: 1 },
  ]);
});
