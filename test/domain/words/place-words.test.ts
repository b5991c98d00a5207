import { expect, test } from 'vitest';
import { shortPlace } from '../../../src/domain/words/place-words.js';

const made = { path: '/home/you/.handraise/worktrees/thr_1', worktree: true, branch: 'handraise/fix' };

test.each([
  ['a folder', { path: '/projects/shop' }, 'shop'],
  ['a folder with a slash at its end', { path: '/projects/shop/' }, 'shop'],
  ['the root', { path: '/' }, '/'],
  ['a folder whose name hides something', { path: '/projects/sh\u{202E}op\n' }, 'shop'],
  ['a worktree that is still to be made', { path: '/projects/shop', worktree: true }, 'shop'],
  ['a worktree', { ...made, project: '/projects/shop' }, 'shop'],
  ['a worktree of which nobody knows whose it is', made, 'worktree'],
  ['a repository', { ...made, repo: 'https://git.example/team/shop.git' }, 'shop'],
])('%s is named after its project', (_what, workspace, name) => {
  expect(shortPlace(workspace)).toBe(name);
});
