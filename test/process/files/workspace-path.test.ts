import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspacePath } from '../../../src/process/files/workspace-path.js';
import { ScratchRepository } from '../git/scratch-repository.js';

test('a file has one spelling, whether or not it exists', async () => {
  await using scratch = new ScratchRepository();
  scratch.write('src/a.ts', '');
  expect(await workspacePath(scratch.cwd, './src//b/../a.ts')).toBe('src/a.ts');
  expect(await workspacePath(scratch.cwd, 'gone/deleted.ts')).toBe('gone/deleted.ts');
  expect(await workspacePath(scratch.cwd, '..a')).toBe('..a');
});

test('a link inside the workspace that stays inside is fine', async () => {
  await using scratch = new ScratchRepository();
  mkdirSync(join(scratch.cwd, 'real'));
  symlinkSync('real', join(scratch.cwd, 'alias'));
  expect(await workspacePath(scratch.cwd, 'alias/new.ts')).toBe('alias/new.ts');
});

test('whatever leads outside is refused', async () => {
  await using scratch = new ScratchRepository();
  symlinkSync(scratch.outside, join(scratch.cwd, 'escape'));
  symlinkSync(join(scratch.outside, 'nothing'), join(scratch.cwd, 'dangling'));
  symlinkSync('loop', join(scratch.cwd, 'loop'));
  const refusals: Record<string, string> = {};
  for (const file of [
    '..',
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a\0b',
    'escape/x',
    'dangling',
    'loop',
    '.',
    'src/',
  ]) {
    refusals[file] = await workspacePath(scratch.cwd, file).catch((error: Error) => error.message);
  }
  expect(refusals).toEqual({
    '..': '".." is not a relative path inside the workspace.',
    '../x': '"../x" is not a relative path inside the workspace.',
    'a/../../x': '"a/../../x" is not a relative path inside the workspace.',
    '/etc/passwd': '"/etc/passwd" is not a relative path inside the workspace.',
    'a\0b': '"a\\u0000b" is not a relative path inside the workspace.',
    'escape/x': '"escape/x" leads outside the workspace through a symbolic link.',
    dangling: '"dangling" is a symbolic link to nowhere.',
    loop: '"loop" cannot be resolved.',
    '.': '"." names a folder, not a file.',
    'src/': '"src/" names a folder, not a file.',
  });
});
