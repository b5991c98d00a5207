import { expect, test } from 'vitest';
import { LinearStub } from '../linear-stub.js';
import { ScratchWorkspace } from '../scratch-workspace.js';

const ISSUE = {
  identifier: 'LIN-7',
  title: 'Fix the login',
  description: 'It says 500.',
  url: 'https://linear.app/acme/issue/LIN-7',
  branchName: 'ada/lin-7-fix-the-login',
  priorityLabel: 'High',
  state: { name: 'Todo', type: 'unstarted' },
  assignee: null,
  team: { key: 'LIN', name: 'Line' },
  parent: null,
  labels: { nodes: [{ name: 'bug' }] },
  comments: { nodes: [{ body: 'Since Monday.', createdAt: '2026-01-01T00:00:00Z', user: null }] },
  somethingNew: true,
};

test('with a key the issue comes from Linear', async () => {
  await using linear = await LinearStub.saying(200, { data: { issue: ISSUE } });
  await using scratch = new ScratchWorkspace({
    linearIssue: 'LIN-7',
    linearApiKey: 'lin_api_secret',
    linearApiUrl: linear.url,
  });
  expect(await scratch.data('get_linear_context')).toEqual({
    source: 'linear',
    local: { id: 'LIN-7' },
    issue: {
      id: 'LIN-7',
      title: 'Fix the login',
      description: 'It says 500.',
      url: 'https://linear.app/acme/issue/LIN-7',
      suggestedBranch: 'ada/lin-7-fix-the-login',
      priority: 'High',
      state: 'Todo',
      assignee: null,
      team: 'Line',
      parent: null,
      labels: ['bug'],
      comments: [{ author: null, at: '2026-01-01T00:00:00Z', body: 'Since Monday.' }],
    },
  });
  expect(linear.seen).toMatchObject([
    {
      headers: { authorization: 'lin_api_secret', 'content-type': 'application/json' },
      body: { variables: { id: 'LIN-7' }, query: expect.stringContaining('issue(id: $id)') },
    },
  ]);
});

test('an OAuth token is sent as a bearer token', async () => {
  await using linear = await LinearStub.saying(200, { data: { issue: ISSUE } });
  await using scratch = new ScratchWorkspace({ linearApiKey: 'lin_oauth_x', linearApiUrl: linear.url });
  await scratch.data('get_linear_context', { issueId: 'lin-7' });
  expect(linear.seen).toMatchObject([{ headers: { authorization: 'Bearer lin_oauth_x' } }]);
});

test('without a key what is known here is the answer, and without an issue there is a sentence', async () => {
  await using scratch = ScratchWorkspace.repository();
  expect(await scratch.call('get_linear_context')).toEqual({
    ok: false,
    error: 'No Linear issue belongs to this workspace yet; pass issueId.',
  });
  await scratch.data('start_linear_issue', { issueId: 'lin-7', title: 'Fix it' });
  await scratch.data('update_linear_status', { status: 'In Review' });
  expect(await scratch.data('get_linear_context')).toEqual({
    source: 'local',
    local: { id: 'LIN-7', title: 'Fix it', branch: 'lin-7-fix-it', status: 'In Review' },
    note: 'Without LINEAR_API_KEY only this is known.',
  });
});

const auth = { errors: [{ message: 'No.', extensions: { code: 'AUTHENTICATION_ERROR' } }] };
test.each([
  ['a refused key', 401, {}, 'Linear refused the API key; check LINEAR_API_KEY.'],
  ['a refused key in a good answer', 200, auth, 'Linear refused the API key; check LINEAR_API_KEY.'],
  ['too many requests', 429, {}, 'Linear limits how often it may be asked; try again later.'],
  ['another error', 400, { errors: [{ message: 'Bad query' }] }, 'Linear said: Bad query'],
  ['an unknown issue', 200, { data: { issue: null } }, 'Linear knows no issue LIN-7.'],
  ['nonsense', 502, 'Bad gateway', 'Linear gave an answer that cannot be read (HTTP 502).'],
  ['an endless answer', 200, 'x'.repeat(3_000_000), 'Linear gave an answer that cannot be read (HTTP 200).'],
])('%s is an answer, with what is known here', async (_, status, body, problem) => {
  await using linear = await LinearStub.saying(status, body);
  await using scratch = new ScratchWorkspace({
    linearIssue: 'LIN-7',
    linearApiKey: 'k',
    linearApiUrl: linear.url,
  });
  expect(await scratch.data('get_linear_context')).toEqual({
    source: 'local',
    local: { id: 'LIN-7' },
    problem,
  });
});

test('no network, a lost connection and a redirect are answers too', async () => {
  await using dropping = await LinearStub.start((response) => response.destroy());
  await using elsewhere = await LinearStub.saying(200, { data: { issue: ISSUE } });
  await using redirecting = await LinearStub.start((response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  const closed = await LinearStub.saying(200, {});
  const closedUrl = closed.url;
  await closed[Symbol.asyncDispose]();
  await using scratch = new ScratchWorkspace({ linearIssue: 'LIN-7', linearApiKey: 'top-secret' });
  const problems: unknown[] = [];
  for (const linearApiUrl of [closedUrl, dropping.url, redirecting.url, 'not a url']) {
    problems.push(await scratch.data('get_linear_context', {}, { ...scratch.workspace, linearApiUrl }));
  }
  const local = { source: 'local', local: { id: 'LIN-7' } };
  expect(problems).toEqual([
    { ...local, problem: 'Linear could not be reached (ECONNREFUSED).' },
    { ...local, problem: 'Linear could not be reached (UND_ERR_SOCKET).' },
    { ...local, problem: 'Linear could not be reached (unexpected redirect).' },
    { ...local, problem: 'Linear could not be reached (ERR_INVALID_URL).' },
  ]);
  expect(elsewhere.seen).toEqual([]);
});

test('starting an issue makes its branch from where we are and keeps uncommitted work', async () => {
  await using linear = await LinearStub.saying(200, { data: { issue: ISSUE } });
  await using scratch = ScratchWorkspace.repository({
    linearIssue: 'LIN-7',
    linearApiKey: 'k',
    linearApiUrl: linear.url,
  });
  scratch.write('a.txt', 'changed\n');
  expect(await scratch.data('start_linear_issue')).toEqual({
    issue: 'LIN-7',
    title: 'Fix the login',
    branch: 'lin-7-fix-the-login',
  });
  expect(scratch.git('branch', '--show-current')).toBe('lin-7-fix-the-login');
  expect(scratch.git('status', '--porcelain')).toBe(' M a.txt');
  expect(await scratch.data('get_session_status')).toMatchObject({
    issue: { id: 'LIN-7', title: 'Fix the login', branch: 'lin-7-fix-the-login' },
  });
});

test('an issue starts on an unborn branch and on a detached HEAD too', async () => {
  await using unborn = new ScratchWorkspace();
  unborn.git('init', '--quiet');
  await unborn.data('start_linear_issue', { issueId: 'LIN-1' });
  expect(unborn.git('branch', '--show-current')).toBe('lin-1');
  expect(await unborn.call('start_linear_issue', { issueId: 'LIN-1' })).toMatchObject({ ok: false });
  await using detached = ScratchWorkspace.repository();
  detached.git('switch', '--quiet', '--detach');
  await detached.data('start_linear_issue', { issueId: 'LIN-1' });
  expect(detached.git('branch', '--show-current')).toBe('lin-1');
});

test('starting refuses an existing branch, a blocked name, conflicts and a folder without git', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.git('branch', 'lin-1');
  scratch.git('branch', 'lin-2/part');
  expect(await scratch.call('start_linear_issue', { issueId: 'LIN-1' })).toEqual({
    ok: false,
    error: 'The branch lin-1 exists already.',
  });
  expect(await scratch.call('start_linear_issue', { issueId: 'LIN-2' })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^git switch failed: .*lin-2/),
  });
  scratch.git('switch', '--quiet', '--create', 'side');
  scratch.write('a.txt', 'side\n');
  scratch.commit('Side');
  scratch.git('switch', '--quiet', 'main');
  scratch.write('a.txt', 'main\n');
  scratch.commit('Main');
  expect(() => scratch.git('merge', '--quiet', 'side')).toThrow();
  expect(await scratch.call('start_linear_issue', { issueId: 'LIN-3' })).toEqual({
    ok: false,
    error: 'Paths with conflicts: 1. Resolve them before starting an issue.',
  });
  expect(scratch.git('branch', '--show-current')).toBe('main');
  await using bare = new ScratchWorkspace();
  expect(await bare.call('start_linear_issue', { issueId: 'LIN-3' })).toMatchObject({ ok: false });
  expect(await bare.data('get_session_status')).toMatchObject({ issue: null });
});

test.each(['LIN', '-1', '--force', 'LIN-1; rm', '../LIN-1', 'LIN-1\n'])(
  '%j is no issue id',
  async (issueId) => {
    await using scratch = ScratchWorkspace.repository();
    for (const tool of ['get_linear_context', 'start_linear_issue', 'update_linear_status']) {
      expect(await scratch.call(tool, { issueId, status: 'Done' })).toMatchObject({
        ok: false,
        error: expect.stringContaining('an issue id looks like LIN-123'),
      });
    }
  },
);

test('a status is noted here only, and says so', async () => {
  await using scratch = ScratchWorkspace.repository({ linearIssue: 'LIN-7' });
  expect(await scratch.data('update_linear_status', { status: 'Done' })).toEqual({
    issue: 'LIN-7',
    status: 'Done',
    localOnly: true,
    note: 'Noted in this workspace only; the issue in Linear was not changed.',
  });
});

test('the current issue is this conversation’s, then the launch’s, then the last one started here', async () => {
  await using scratch = ScratchWorkspace.repository();
  const earlier = { ...scratch.workspace, conversationId: 'conv-0' };
  await scratch.data('start_linear_issue', { issueId: 'LIN-1' }, earlier);
  const launched = { ...scratch.workspace, linearIssue: 'LIN-2' };
  expect(await scratch.data('get_session_status')).toMatchObject({ issue: { id: 'LIN-1' } });
  expect(await scratch.data('get_session_status', {}, launched)).toMatchObject({ issue: { id: 'LIN-2' } });
  await scratch.data('start_linear_issue', { issueId: 'LIN-3' }, launched);
  expect(await scratch.data('get_session_status', {}, launched)).toMatchObject({ issue: { id: 'LIN-3' } });
});
