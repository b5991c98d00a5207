import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../scratch-workspace.js';

test('the latest commits, newest first', async () => {
  await using scratch = ScratchWorkspace.repository();
  const first = scratch.git('rev-parse', 'HEAD');
  scratch.write('b.txt', 'b\n');
  const second = scratch.commit('Add b: "quoted" äöü\n\nWith a body.');
  const by = { author: 'Ada', at: scratch.git('log', '-1', '--format=%aI') };
  const newest = { commit: second, ...by, subject: 'Add b: "quoted" äöü' };
  expect(await scratch.data('get_recent_activity')).toEqual({
    commits: [newest, { commit: first, ...by, subject: 'Begin' }],
  });
  expect(await scratch.data('get_recent_activity', { limit: 1 })).toEqual({ commits: [newest] });
});

test('an unborn branch has none', async () => {
  await using scratch = new ScratchWorkspace();
  scratch.git('init', '--quiet');
  expect(await scratch.data('get_recent_activity')).toEqual({ commits: [], note: 'There is no commit yet.' });
});

test('the limit has limits', async () => {
  await using scratch = ScratchWorkspace.repository();
  expect(await scratch.call('get_recent_activity', { limit: 0 })).toMatchObject({ ok: false });
  expect(await scratch.call('get_recent_activity', { limit: 201 })).toMatchObject({ ok: false });
});
