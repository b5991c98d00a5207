import { expect, it } from 'vitest';
import { askedLanding } from '../../../src/host/dispatches/asked-landing.js';

it.each([
  ['a folder', undefined, undefined, undefined],
  ['a repository', 'https://git.example/shop.git', undefined, 'push'],
  ['a repository that is only fetched from', 'git://git.example/shop.git', undefined, undefined],
  ['a repository, kept', 'https://git.example/shop.git', 'keep', undefined],
  ['a repository, with a pull request', 'git@git.example:shop.git', 'pr', 'pr'],
] as const)('what work in %s lands as', (_what, repo, onSuccess, kind) => {
  const work = { id: 'dsp_1', threadId: 'thr_1', actor: 'user:owner', request: { onSuccess } };
  const thread = { workspace: { path: '/work', worktree: true, repo } };
  const patch = { state: 'ended', outcome: { result: 'succeeded' } };
  const operations = askedLanding(work as never, patch as never, { state: { thread } as never, at: '' });
  expect(operations.map((each) => each.do === 'putLanding' && each.landing.kind)).toEqual(
    kind === undefined ? [] : [kind],
  );
});
