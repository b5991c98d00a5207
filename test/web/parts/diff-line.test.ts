import { expect, it } from 'vitest';
import { differenceOf } from '../../../src/web/parts/diff-line.js';
import { filePatches } from '../../../src/web/thread/file-patch.js';

const signs = { same: ' ', added: '+', removed: '-', head: '@' } as const;
const shown = (lines: ReturnType<typeof differenceOf>) => lines.map(({ kind, text }) => signs[kind] + text);

it('a difference is the lines that differ, with a few around them', () => {
  const before = ['1', '2', '3', '4', '5', 'old', '7', '8', '9', '10', '11'].join('\n');
  expect(shown(differenceOf(before, before.replace('old', 'new\nmore')))).toEqual([
    ' 3',
    ' 4',
    ' 5',
    '-old',
    '+new',
    '+more',
    ' 7',
    ' 8',
    ' 9',
  ]);
  expect(shown(differenceOf('', 'a\nb\n'))).toEqual(['+a', '+b']);
  expect(shown(differenceOf('a\n', ''))).toEqual(['-a']);
});

it('a patch is split by file, whatever happened to it', () => {
  const patch = [
    'diff --git a/src/a b.txt b/src/a b.txt',
    'index 1..2 100644',
    '--- a/src/a b.txt\t',
    '+++ b/src/a b.txt\t',
    '@@ -1 +1 @@',
    '-one',
    '+two',
    'diff --git a/gone.txt b/gone.txt',
    'deleted file mode 100644',
    '--- a/gone.txt',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-bye',
    'diff --git a/pic.png b/pic.png',
    'Binary files a/pic.png and b/pic.png differ',
    '',
  ].join('\n');
  expect(Array.from(filePatches(patch), ([path, lines]) => [path, shown(lines)])).toEqual([
    ['src/a b.txt', ['@@@ -1 +1 @@', '-one', '+two']],
    ['gone.txt', ['@@@ -1 +0,0 @@', '-bye']],
    ['pic.png', []],
  ]);
});
