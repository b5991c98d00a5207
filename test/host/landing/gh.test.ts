// @module-tag full
// The real gh, as Debian packages it, in the place of the scripted one; only the service behind it is a stand-in.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { debianProgram } from '../../harness/debian-program.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { GithubService } from './github-service.js';
import { owner } from './landing-stage.js';
import { openRemoteStage } from './pull-request-stage.js';

const gh = await debianProgram('gh', 'usr/bin/gh');
const failed = {
  __typename: 'CheckRun',
  name: 'test',
  status: 'COMPLETED',
  conclusion: 'FAILURE',
  detailsUrl: 'https://ci.example/1',
};
const remark = {
  id: 7,
  user: { login: 'ada' },
  author_association: 'OWNER',
  body: 'Say hello.',
  path: 'c.txt',
  line: 1,
};

async function openGhStage() {
  const stage = await openRemoteStage({
    settings: { watchSeconds: 0.2 },
    programsIn: () => join(gh ?? '', '..'),
  });
  const { home } = stage.at.stage;
  return { stage, at: stage.at, home, service: await GithubService.open(home) };
}

it.skipIf(gh === undefined)('opens a pull request once, and pushes more to the same one', async () => {
  const { stage, at, service } = await openGhStage();
  await using github = service;
  const { threadId, branch } = await stage.agent('echo new > c.txt', 'Fix the login');
  const open = async (request = {}) => await at.host.landings.openPullRequest(threadId, request, owner);
  const url = 'https://github.com/ada/engine/pull/1';
  expect(await open({ draft: true, body: 'Closes #1' })).toMatchObject({
    state: 'done',
    pullRequest: url,
    sentence: `Pull request opened: ${url}`,
  });
  expect(github.requests).toMatchObject([
    { baseRefName: 'main', headRefName: branch, title: 'Fix the login', body: 'Closes #1', isDraft: true },
  ]);
  expect(await open()).toMatchObject({ sentence: `Pushed to the open pull request: ${url}` });
  expect(github.requests).toHaveLength(1);
});

it.skipIf(gh === undefined)('offers a fork to its parent, and says what gh refused', async () => {
  const { stage, at, home, service } = await openGhStage();
  await using github = service;
  const { threadId } = await stage.agent('echo new > c.txt', 'Fix it');
  const open = async () => await at.host.landings.openPullRequest(threadId, {}, owner);
  github.refuses = 'No commits between main and x';
  expect(await open()).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('gh opened no pull request: '),
  });
  expect((await open()).sentence).toContain('No commits between main and x');
  github.refuses = undefined;
  github.parent = 'grace/engine';
  expect(await open()).toMatchObject({ pullRequest: 'https://github.com/grace/engine/pull/1' });
  expect(github.requests).toMatchObject([{ headRepositoryOwner: { login: 'ada' } }]);
  rmSync(join(home, '.config/gh/hosts.yml'));
  expect((await open()).sentence).toContain('gh is not signed in to github.com');
});

it.skipIf(gh === undefined)(
  'tells the agent a failing check and a comment once, until it is merged',
  async () => {
    const { stage, at, service } = await openGhStage();
    await using github = service;
    const { threadId } = await stage.agent('cat >> c.txt');
    const { host } = at;
    await host.landings.openPullRequest(threadId, {}, owner);
    await host.pullRequests.watch(threadId, { rounds: 2 }, owner);
    github.said = { checks: [failed], lines: [remark, { ...remark, id: 8, author_association: 'NONE' }] };
    const { rows } = await eventually(
      'the agent was told, and is done',
      async () => await host.dispatches.list({ threadId, order: 'oldest_first' }),
      (page) => page.rows.length === 2 && page.rows.every(({ state }) => state === 'ended'),
    );
    expect(rows[1]?.text).toContain(
      '1. The check "test" failed. https://ci.example/1\n\n2. ada wrote about c.txt:1:\n> Say hello.',
    );
    expect(rows[1]?.text).not.toContain('3.');
    const { looks } = github;
    await waitUntil('somebody looked twice more', () => github.looks >= looks + 3);
    github.said = { state: 'MERGED' };
    await waitUntil('the watch is over', async () =>
      (await host.landings.list(threadId)).every(({ state }) => state === 'done'),
    );
    expect((await host.dispatches.list({ threadId })).rows).toHaveLength(2);
    expect((await host.threads.get(threadId)).settled).toMatchObject({ how: 'pr', dispatchId: rows[1]?.id });
  },
);
