// @module-tag full
// The real glab, as Debian packages it; only the service behind it is a stand-in.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { debianProgram } from '../../harness/debian-program.js';
import { GitlabService } from './gitlab-service.js';
import { owner } from './landing-stage.js';
import { openRemoteStage } from './pull-request-stage.js';

const glab = await debianProgram('glab', 'usr/bin/glab');
const url = 'https://gitlab.com/ada/engine/-/merge_requests/1';

it.skipIf(glab === undefined)('opens a merge request once, and says what glab refused', async () => {
  const stage = await openRemoteStage({
    address: 'https://gitlab.com/ada/engine.git',
    programsIn: () => join(glab ?? '', '..'),
  });
  const { home } = stage.at.stage;
  await using gitlab = await GitlabService.open(home);
  const { threadId, branch } = await stage.agent('echo new > c.txt', 'Fix the login');
  const open = async (request = {}) => await stage.at.host.landings.openPullRequest(threadId, request, owner);
  gitlab.refuses = 'You may not do this.';
  expect(await open()).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('glab opened no pull request: '),
  });
  expect((await open()).sentence).toContain('You may not do this.');
  gitlab.refuses = ['Source branch does not exist'];
  expect((await open()).sentence).toContain('GitLab refused it, and glab does not say why');
  gitlab.refuses = undefined;
  expect(await open({ draft: true, body: 'Closes #1\n\nAt once.' })).toMatchObject({
    state: 'done',
    pullRequest: url,
    sentence: `Pull request opened: ${url}`,
  });
  expect(gitlab.requests).toMatchObject([
    {
      source_branch: branch,
      target_branch: 'main',
      target_project_id: 5,
      title: 'Draft: Fix the login',
      description: 'Closes #1\n\nAt once.',
    },
  ]);
  expect(await open()).toMatchObject({ sentence: `Pushed to the open pull request: ${url}` });
  gitlab.isFork = true;
  const parents = 'https://gitlab.com/grace/engine/-/merge_requests/2';
  expect(await open()).toMatchObject({ pullRequest: parents, sentence: `Pull request opened: ${parents}` });
  expect(await open()).toMatchObject({ sentence: `Pushed to the open pull request: ${parents}` });
  expect(gitlab.requests).toHaveLength(2);
  rmSync(join(home, '.config/glab-cli'), { recursive: true });
  expect((await open()).sentence).toContain('glab is not signed in to gitlab.com');
});
