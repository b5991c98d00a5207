import { expect, test } from 'vitest';
import { treeRows } from '../../../src/web/review/file-tree.js';

test('files stand under their folders', () => {
  const files = ['README.md', 'src/a.ts', 'src/legacy/b.ts', 'src/c.ts'].map((path) => ({ path }));
  expect(treeRows(files)).toEqual([
    { kind: 'folder', path: '.' },
    { kind: 'file', index: 0, name: 'README.md' },
    { kind: 'folder', path: 'src' },
    { kind: 'file', index: 1, name: 'a.ts' },
    { kind: 'file', index: 3, name: 'c.ts' },
    { kind: 'folder', path: 'src/legacy' },
    { kind: 'file', index: 2, name: 'b.ts' },
  ]);
});
