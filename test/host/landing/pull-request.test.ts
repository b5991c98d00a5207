// @module-tag full
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { owner } from './landing-stage.js';
import { address, openPullRequestStage } from './pull-request-stage.js';

const work = 'echo agent >> a.txt; echo new > c.txt';

it('pushes what was not committed, opens a pull request, and pushes more to the same one', async () => {
  const stage = await openPullRequestStage();
  const { at, gh, remote } = stage;
  const { threadId, top, branch } = await stage.agent(work, 'Fix the login');
  const before = stage.git('rev-parse', 'main');
  const opened = await at.host.landings.openPullRequest(threadId, { draft: true, body: 'Closes #1' }, owner);
  expect(opened).toMatchObject({
    kind: 'pr',
    state: 'done',
    into: 'main',
    commit: remote('rev-parse', branch),
    pullRequest: 'https://github.com/ada/engine/pull/1',
    sentence: 'Pull request opened: https://github.com/ada/engine/pull/1',
  });
  expect(gh.requests).toEqual([
    {
      url: opened.pullRequest,
      repo: 'github.com/ada/engine',
      baseRefName: 'main',
      headRefName: branch,
      headRepositoryOwner: { login: 'ada' },
      title: 'Fix the login',
      body: 'Closes #1',
      isDraft: true,
    },
  ]);
  // Where gh runs there is nothing of the repository's.
  expect(gh.calls.filter(({ cwd }) => cwd.startsWith(stage.repository) || cwd.startsWith(top))).toEqual([]);
  expect(remote('show', `${branch}:c.txt`)).toBe('new');
  expect(stage.gitIn(top, 'status', '--porcelain')).toBe('');
  expect(stage.git('rev-parse', 'main', `refs/remotes/origin/${branch}`).split('\n')).toEqual([
    before,
    opened.commit,
  ]);

  expect(await at.host.landings.openPullRequest(threadId, {}, owner)).toMatchObject({
    state: 'done',
    sentence: `Pushed to the open pull request: ${opened.pullRequest}`,
  });
  writeFileSync(join(top, 'later.txt'), 'later\n');
  const again = await at.host.landings.openPullRequest(threadId, {}, owner);
  expect(again).toMatchObject({ state: 'done', pullRequest: opened.pullRequest });
  expect(remote('show', `${branch}:later.txt`)).toBe('later');
  expect(gh.requests).toHaveLength(1);
});

it('says what to do where it cannot open one, and what is pushed stays pushed', async () => {
  const stage = await openPullRequestStage();
  const { at, gh, remote } = stage;
  const { threadId, branch } = await stage.agent(work, 'Fix it');
  const open = async (request = {}) => await at.host.landings.openPullRequest(threadId, request, owner);
  const page = `https://github.com/ada/engine/compare/main...${branch}?expand=1`;
  const pushed = `Pushed ${branch} to ${address}.`;

  gh.set({ isSignedOut: true });
  expect(await open()).toMatchObject({
    state: 'done',
    createUrl: page,
    sentence: `${pushed} gh is not signed in to github.com (gh auth login --hostname github.com). Open a pull request: ${page}`,
  });
  expect(remote('show', `${branch}:c.txt`)).toBe('new');

  gh.set({ refuses: 'pull request create failed: GraphQL: No commits between main and x' });
  expect(await open()).toMatchObject({
    state: 'failed',
    createUrl: page,
    sentence: `${pushed} gh opened no pull request: pull request create failed: GraphQL: No commits between main and x. Open a pull request: ${page}`,
  });

  gh.set({ parent: 'grace/engine' });
  const opened = await open({ title: 'From a fork' });
  expect(opened.pullRequest).toBe('https://github.com/grace/engine/pull/1');
  expect(gh.requests).toMatchObject([{ headRepositoryOwner: { login: 'ada' }, title: 'From a fork' }]);

  rmSync(join(gh.folder, 'gh'));
  expect((await open()).sentence).toBe(`${pushed} gh is not installed. Open a pull request: ${page}`);
});

it('refuses with a sentence what it may not or cannot push', async () => {
  const stage = await openPullRequestStage();
  const { at, bare, remote } = stage;
  const { threadId, top, branch } = await stage.agent(work, 'Refused');
  const refused = async (id = threadId, request = {}) =>
    await at.host.landings.openPullRequest(id, request, owner).then(
      ({ state, sentence }) => `${state}: ${sentence}`,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );

  expect(await refused(threadId, { remote: 'nowhere' })).toContain('git remote add NAME ADDRESS');
  stage.git('config', 'remote.evil.url', `ext::sh -c touch% ${bare}/sprung`);
  expect(await refused(threadId, { remote: 'evil' })).toContain('it names a program');
  stage.git('config', 'remote.gone.url', join(bare, '..', 'gone.git'));
  expect(await refused(threadId, { remote: 'gone' })).toContain('There is no repository at');

  // Somebody else has pushed to a branch of the same name.
  remote('update-ref', `refs/heads/${branch}`, 'main');
  const other = stage.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Other');
  stage.git('push', '--quiet', 'origin', `${other}:refs/heads/${branch}`);
  expect(await refused()).toContain('nothing is forced');
  expect(remote('rev-parse', branch)).toBe(other);
  remote('update-ref', '-d', `refs/heads/${branch}`);

  if (process.getuid?.() !== 0) {
    for (const folder of ['objects', 'refs/heads']) chmodSync(join(bare, folder), 0o500);
    expect(await refused()).toContain('You may not push to');
    for (const folder of ['objects', 'refs/heads']) chmodSync(join(bare, folder), 0o700);
  }
  writeFileSync(
    join(bare, 'hooks', 'pre-receive'),
    '#!/bin/sh\necho "Permission to ada/engine.git denied to eve." >&2\nexit 1\n',
  );
  chmodSync(join(bare, 'hooks', 'pre-receive'), 0o755);
  expect(await refused()).toContain('You may not push to');
  rmSync(join(bare, 'hooks', 'pre-receive'));
  expect(existsSync(join(bare, 'sprung'))).toBe(false);

  const idle = await stage.agent('true', 'Idle');
  expect(await refused(idle.threadId)).toContain('The work changed nothing');
  const mine = await at.work('go', {
    workspace: { path: stage.repository, worktree: true, includeChanges: true },
    runtime: 'exec',
    posture: { command: 'touch d.txt' },
  });
  await at.host.dispatches.ended(mine.id, AbortSignal.timeout(120_000));
  expect(await refused(mine.threadId)).toContain('would publish them');
  rmSync(top, { recursive: true });
  expect(await refused()).toContain('does not exist any more');

  stage.git('remote', 'remove', 'origin');
  const lonely = await stage.agent(work, 'Lonely');
  expect(await refused(lonely.threadId)).toContain('git remote add origin ADDRESS');
});

it('starts nothing that the repository names, and pushes where it was pushed when the work began', async () => {
  const stage = await openPullRequestStage();
  const { at, git, bare, remote } = stage;
  const mark = join(bare, '..', 'sprung');
  const { threadId, branch } = await stage.agent(work, 'Hostile');
  const elsewhere = join(bare, '..', 'elsewhere.git');
  mkdirSync(elsewhere);
  stage.gitIn(elsewhere, 'init', '--quiet', '--bare');
  git('config', 'remote.origin.url', elsewhere);
  git('config', 'credential.helper', `!touch ${mark}`);
  git('config', 'core.sshCommand', `touch ${mark};`);
  git('config', 'core.hooksPath', join(stage.repository, 'hooks'));
  git('config', `url.${elsewhere}.pushInsteadOf`, address);
  git('config', 'push.gpgSign', 'true');
  for (const hook of ['pre-push', 'reference-transaction']) {
    stage.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`);
    stage.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`);
    for (const folder of ['hooks', '.git/hooks']) chmodSync(join(stage.repository, folder, hook), 0o755);
  }
  expect(await at.host.landings.openPullRequest(threadId, {}, owner)).toMatchObject({ state: 'done' });
  expect(remote('show', `${branch}:c.txt`)).toBe('new');
  expect(readdirSync(join(elsewhere, 'refs', 'heads'))).toEqual([]);
  expect(existsSync(mark)).toBe(false);
});
