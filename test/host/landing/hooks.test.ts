// @module-tag full
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MergeRequest } from '../../../src/protocol/landing.js';
import { openLandingStage, owner } from './landing-stage.js';

it('runs the hooks of the repository only when asked, and only as a person has read them', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  const ran = join(stage.repository, '..', 'ran');
  const hook = (name: string, text: string, folder = '.git/hooks') => {
    stage.write(`${folder}/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(stage.repository, folder, name), 0o755);
  };
  const runs = () => (existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []);
  const merge = async (threadId: Awaited<ReturnType<typeof stage.agent>>['threadId'], request: object) => {
    const asked: MergeRequest = { method: 'merge', ...request };
    return await at.host.landings.merge(threadId, asked, owner);
  };
  hook('pre-commit', `echo "pre-commit $(git diff --cached --name-only | tr '\\n' ' ')" >> ${ran}`);
  hook('commit-msg', `echo commit-msg >> ${ran}; echo "Reviewed-by: hook" >> "$1"`);
  hook('post-merge', `echo "post-merge $(pwd)" >> ${ran}`);
  hook('pre-push', `echo pre-push >> ${ran}`);

  const one = await stage.agent('echo new > c.txt', 'Hooks');
  const before = git('rev-parse', 'main');
  const shown = await merge(one.threadId, { hooks: true });
  expect(shown).toMatchObject({ state: 'failed', into: 'main' });
  expect(shown.output).toContain('Reviewed-by: hook');
  expect(shown.output).not.toContain('pre-push');
  expect([runs(), git('rev-parse', 'main')]).toEqual([[], before]);
  const digest = /--hooks ([0-9a-f]{16})$/.exec(shown.sentence)?.[1] ?? '';
  await expect(merge(one.threadId, { hooks: 'abcdefabcdef' })).rejects.toThrow(
    'not those that you have read',
  );
  expect(await merge(one.threadId, { hooks: digest })).toMatchObject({ state: 'done' });
  expect(runs()).toEqual(['pre-commit c.txt ', 'commit-msg', `post-merge ${stage.repository}`]);
  expect(git('log', '-1', '--format=%B')).toContain('Reviewed-by: hook');
  expect(git('status', '--porcelain')).toBe('');

  // Without the option nothing runs; what was approved is remembered; what changed is shown again.
  rmSync(ran);
  const two = await stage.agent('echo two > two.txt', 'Two');
  expect(await merge(two.threadId, {})).toMatchObject({ state: 'done' });
  expect(runs()).toEqual([]);
  const three = await stage.agent('echo three > three.txt', 'Three');
  expect(await merge(three.threadId, { hooks: true, method: 'no-ff' })).toMatchObject({ state: 'done' });
  expect(runs()).toEqual(['commit-msg', `post-merge ${stage.repository}`]);
  hook('pre-commit', 'echo no; exit 1');
  const four = await stage.agent('echo four > four.txt', 'Four');
  const changed = await merge(four.threadId, { hooks: true });
  expect(changed).toMatchObject({ state: 'failed', output: expect.stringContaining('echo no; exit 1') });
  const approving = /--hooks ([0-9a-f]{16})$/.exec(changed.sentence)?.[1];
  const tip = git('rev-parse', 'main');
  expect(await merge(four.threadId, { hooks: approving })).toMatchObject({
    state: 'failed',
    sentence: 'The hook pre-commit refused, so nothing was merged.',
    output: 'no\n',
  });
  expect([git('rev-parse', 'main'), git('status', '--porcelain')]).toEqual([tip, '']);

  // An agent can point git elsewhere; that is shown as well.
  hook('pre-commit', 'true', 'others');
  git('config', 'core.hooksPath', 'others');
  expect((await merge(four.threadId, { hooks: true })).sentence).toContain(
    join(stage.repository, 'others/pre-commit'),
  );
  hook('pre-commit', 'true # \u202e', 'others');
  await expect(merge(four.threadId, { hooks: true })).rejects.toThrow('U+202E');
});
