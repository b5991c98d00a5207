import { expect, it } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const workspace = { path: '/work' };

it('says that it is well, without a token', async () => {
  await using server = await openTestServer();
  const { status, body } = await request(`${server.url}/api/v1/healthz`);
  expect([status, body]).toEqual([200, { ok: true, version: '1.2.3' }]);
});

it('takes work: 201, with the same key and body 200, with another body 409', async () => {
  await using server = await openTestServer();
  const headers = { 'idempotency-key': 'k1' };
  const first = await server.call('POST', '/dispatches', { body: { text: 'Do it', workspace }, headers });
  const again = await server.call('POST', '/dispatches', { body: { text: 'Do it', workspace }, headers });
  const other = await server.call('POST', '/dispatches', { body: { text: 'No', workspace }, headers });

  const [dispatch] = server.host.dispatchesById.values();
  expect([first.status, first.body, first.headers.get('location')]).toEqual([
    201,
    dispatch,
    `/api/v1/dispatches/${dispatch?.id}`,
  ]);
  expect([again.status, again.body]).toEqual([200, dispatch]);
  expect(problemOf(other)).toEqual(refusal(409, 'conflict'));
  expect(server.host.asked[0]).toEqual([
    'submit',
    { text: 'Do it', workspace },
    { actor: 'user:owner', idempotencyKey: 'k1' },
  ]);
});

it('names every place of a malformed body', async () => {
  await using server = await openTestServer();
  const reply = await server.call('POST', '/dispatches', { body: { text: '', retries: -1, nonsense: 1 } });
  expect(problemOf(reply)).toEqual(refusal(422, 'invalid'));
  expect(reply.body).toMatchObject({
    errors: [{ path: 'text' }, { path: 'retries' }, { path: 'nonsense' }, { path: 'workspace' }],
  });
  expect(server.host.asked).toEqual([]);
});

it.each([
  ['limit=0'],
  ['limit=many'],
  ['limit=1001'],
  ['limit=1&limit=2'],
  ['cursor='],
  ['state=lost'],
  ['thread=thr_1'],
  ['sate=queued'],
])('refuses a list with %s', async (query) => {
  await using server = await openTestServer();
  expect(problemOf(await server.call('GET', `/dispatches?${query}`))).toEqual(refusal(422, 'invalid'));
});

it('lists with a filter and a cursor', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const dispatch = server.host.addDispatch(id);
  const { body } = await server.call('GET', `/dispatches?state=queued&thread=${id}&limit=5&cursor=c`);
  expect(body).toEqual({ dispatches: [dispatch], next: 'more' });
  expect(server.host.asked).toEqual([
    ['dispatches', { state: 'queued', threadId: id, limit: 5, cursor: 'c' }],
  ]);
});

it('waits for the end of a dispatch, and no longer', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addDispatch(server.host.addThread().id);
  const short = await server.call('GET', `/dispatches/${id}?wait=0.01`);
  const waiting = server.call('GET', `/dispatches/${id}?wait=300`);
  server.host.end(id);
  expect([short.body, (await waiting).body]).toMatchObject([{ state: 'queued' }, { state: 'ended' }]);
  expect(problemOf(await server.call('GET', `/dispatches/${id}?wait=301`))).toEqual(refusal(422, 'invalid'));
});

it('changes the text of work that waits; afterwards it is a conflict', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addDispatch(server.host.addThread().id);
  const edit = async (body: object) => await server.call('PATCH', `/dispatches/${id}`, { body });
  const edited = await edit({ text: 'Do that' });
  expect([edited.status, edited.body]).toMatchObject([200, { id, text: 'Do that', state: 'queued' }]);
  for (const body of [{}, { text: '' }, { text: 'x', title: 'y' }])
    expect(problemOf(await edit(body))).toEqual(refusal(422, 'invalid'));
  server.host.end(id);
  expect(problemOf(await edit({ text: 'Late' }))).toEqual(refusal(409, 'conflict'));
  expect(server.host.asked[0]).toEqual(['edit', id, { text: 'Do that' }, 'user:owner']);
});

it('cancels and repeats a dispatch without a body', async () => {
  await using server = await openTestServer();
  const dispatch = server.host.addDispatch(server.host.addThread().id);
  const cancelled = await server.call('POST', `/dispatches/${dispatch.id}/cancel`);
  const retried = await server.call('POST', `/dispatches/${dispatch.id}/retry`);
  expect([cancelled.status, retried.status, retried.body]).toMatchObject([
    200,
    201,
    { retryOf: dispatch.id },
  ]);
});

it('has every verb of a thread', async () => {
  await using server = await openTestServer();
  const thread = server.host.addThread();
  const { id } = thread;
  const replies = [
    await server.call('POST', `/threads/${id}/interrupt`),
    await server.call('POST', `/threads/${id}/stop`),
    await server.call('POST', `/threads/${id}/model`, { body: { model: 'm' } }),
    await server.call('POST', `/threads/${id}/permission-mode`, { body: { permissionMode: 'plan' } }),
    await server.call('POST', `/threads/${id}/rewind`, { body: { checkpointUuid: 'u' } }),
    await server.call('DELETE', `/threads/${id}/worktree?force=true`),
    await server.call('DELETE', `/threads/${id}/worktree`),
  ];
  expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(() => [200, thread]));
  const actor = 'user:owner';
  expect(server.host.asked).toEqual([
    ['interrupt', id, actor],
    ['stop', id, actor],
    ['model', id, 'm', actor],
    ['permission-mode', id, 'plan', actor],
    ['rewind', id, 'u', actor],
    ['removeWorktree', id, { force: true, actor }],
    ['removeWorktree', id, { force: false, actor }],
  ]);
});

it('reads a thread', async () => {
  await using server = await openTestServer();
  const made = await server.call('POST', '/threads', { body: { workspace } });
  const [thread] = server.host.threadsById.values();
  if (!thread) throw new Error('no thread was made');
  const { id, status, createdAt } = thread;
  const get = async (path: string) => (await server.call('GET', path)).body;

  expect([made.status, made.body]).toEqual([201, thread]);
  expect(await get('/threads')).toEqual({ threads: [thread] });
  expect(await get(`/threads/${id}`)).toEqual(thread);
  expect(await get(`/threads/${id}/items`)).toEqual({ items: [] });
  expect(await get(`/threads/${id}/status-log`)).toEqual({
    transitions: [{ threadId: id, report: status, at: createdAt }],
  });
  expect(await get(`/threads/${id}/diff`)).toMatchObject({ patch: '' });
  expect(await get(`/threads/${id}/changes?hunks=true&limit=5`)).toMatchObject({ files: [] });
  expect(await get('/status')).toEqual({ statuses: [{ threadId: id, status }] });
});

it('posts an item', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const item = { content: [{ type: 'text', text: 'Hello' }], seenSeq: 3 };
  const { status, body } = await server.call('POST', `/threads/${id}/items`, { body: item });
  expect([status, body]).toMatchObject([
    201,
    { effect: 'queued', item: { content: [{ type: 'text', text: 'Hello' }] } },
  ]);
  expect(server.host.asked).toEqual([['post', id, item, 'user:owner']]);
});

it('answers a prompt once; the second hears what was accepted', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addPrompt(server.host.addThread().id);
  const malformed = await server.call('POST', `/prompts/${id}/answer`, { body: { answers: [] } });
  const first = await server.call('POST', `/prompts/${id}/answer`, { body: { text: 'Rome' } });
  const second = await server.call('POST', `/prompts/${id}/answer`, { body: { text: 'Paris' } });
  const posted = await server.call('POST', `/threads/${server.host.addThread().id}/items`, {
    body: { content: [{ type: 'text', text: 'x' }], metadata: { prompt: { prompt_id: id } } },
  });

  const prompt = server.host.promptsById.get(id);
  expect(problemOf(malformed)).toEqual(refusal(422, 'invalid'));
  expect(malformed.body).toMatchObject({ errors: [{ path: 'answers' }] });
  expect([first.status, first.body]).toEqual([200, prompt]);
  for (const reply of [second, posted]) {
    expect(problemOf(reply)).toEqual(refusal(409, 'prompt_settled'));
    expect(reply.body).toMatchObject({ prompt });
  }
});

it('cancels a prompt, with a reason and without a body', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const [one, two] = [server.host.addPrompt(id), server.host.addPrompt(id)];
  await server.call('POST', `/prompts/${one.id}/cancel`, { body: { reason: 'not now' } });
  await server.call('POST', `/prompts/${two.id}/cancel`);
  expect(server.host.asked).toEqual([
    ['cancelPrompt', one.id, { reason: 'not now' }, 'user:owner'],
    ['cancelPrompt', two.id, {}, 'user:owner'],
  ]);
});

it('lists prompts as an inbox does', async () => {
  await using server = await openTestServer();
  const prompt = server.host.addPrompt(server.host.addThread().id);
  expect((await server.call('GET', '/prompts?state=pending&open=true')).body).toEqual({ prompts: [prompt] });
  expect(server.host.asked).toEqual([['prompts', { state: 'pending', open: true }]]);
  expect((await server.call('GET', `/prompts/${prompt.id}`)).body).toEqual(prompt);
});

it('answers every prompt that is alike', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addPrompt(server.host.addThread().id);
  const { body } = await server.call('POST', `/prompts/${id}/answer-like`, { body: { text: 'Rome' } });
  expect(body).toEqual({ prompts: [server.host.promptsById.get(id)], count: 1 });
});

it('tells of usage, workers, runtimes and project code', async () => {
  await using server = await openTestServer();
  const get = async (path: string) => (await server.call('GET', path)).body;
  expect(await get('/usage?by=runtime')).toMatchObject({ usage: [{ key: 'runtime' }] });
  expect(await get('/workers')).toEqual({ workers: [expect.not.objectContaining({ epoch: 1 })] });
  expect(await get('/runtimes')).toMatchObject({ runtimes: [{ name: 'claude' }] });
  expect(await get('/project-code?path=/p')).toEqual({ path: '/p', files: [], digest: 'd', approved: false });
  const body = { path: '/p', digest: 'd' };
  expect((await server.call('POST', '/project-code/approve', { body })).body).toMatchObject({
    approved: true,
  });
});

it('ends the worker after it has answered, and the agents first where asked', async () => {
  await using server = await openTestServer();
  const { status, body } = await server.call('POST', '/shutdown', { body: { stopAgents: true } });
  expect([status, body]).toEqual([202, { ok: true }]);
  expect(server.host.asked).toEqual([['stopAgents', 'user:owner']]);
  await waitUntil('the worker is told to end', () => server.shutdowns() === 1);
});

it('knows a wrong method from a wrong path', async () => {
  await using server = await openTestServer();
  const wrongMethod = await server.call('DELETE', '/threads');
  expect(problemOf(wrongMethod)).toEqual(refusal(405, 'invalid'));
  expect(wrongMethod.headers.get('allow')).toBe('POST, GET, HEAD');
  expect(problemOf(await server.call('GET', '/nothing'))).toEqual(refusal(404, 'not_found'));
  expect(problemOf(await server.call('GET', '/threads/thr_1'))).toEqual(refusal(404, 'not_found'));
  expect(problemOf(await request(`${server.url}/api/v2/threads`))).toEqual(refusal(404, 'not_found'));
});

it('refuses JSON that is none', async () => {
  await using server = await openTestServer();
  const reply = await request(`${server.url}/api/v1/dispatches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token()}`, 'content-type': 'application/json' },
    body: '{"text":',
  });
  expect(problemOf(reply)).toEqual(refusal(400, 'invalid'));
});

it('keeps what went wrong inside to the log', async () => {
  await using server = await openTestServer();
  server.host.runtimes = () => Promise.reject(new Error('the secret of the house'));
  const reply = await server.call('GET', '/runtimes');
  expect(problemOf(reply)).toEqual(refusal(500, 'internal'));
  expect(JSON.stringify(reply.body)).not.toContain('secret');
  expect(server.logged).toEqual([expect.stringContaining('the secret of the house')]);
});

it('lands the work of a thread, and asks for nothing that does not exist', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const merged = await server.call('POST', `/threads/${id}/merge`, {
    body: { method: 'squash', into: 'main' },
  });
  expect([merged.status, merged.body]).toMatchObject([200, { kind: 'merge', state: 'done' }]);
  await server.call('POST', `/threads/${id}/merge`, { body: {} });
  await server.call('POST', `/threads/${id}/apply`, { body: { undo: true } });
  await server.call('POST', `/threads/${id}/pull-request`, { body: { draft: true } });
  await server.call('POST', `/threads/${id}/discard`, { body: {} });
  expect(server.host.asked).toEqual([
    ['merge', id, { method: 'squash', into: 'main' }, 'user:owner'],
    ['merge', id, { method: 'merge' }, 'user:owner'],
    ['apply', id, { undo: true }, 'user:owner'],
    ['pr', id, { draft: true }, 'user:owner'],
    ['discard', id, 'user:owner'],
  ]);
  expect((await server.call('POST', `/threads/${id}/merge`, { body: { force: true } })).status).toBe(422);
  expect((await server.call('GET', `/threads/${id}/landings`)).body).toEqual({ landings: [] });
});

it('keeps comments on lines, and sends them', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const comment = '0b1f6a52-9f5b-4b64-8f0e-0a7c2e1d3c4b';
  const path = `/threads/${id}/comments`;
  const added = await server.call('POST', path, { body: { file: 'a.ts', line: 3, body: ' Why? ' } });
  expect([added.status, added.body]).toMatchObject([
    201,
    { author: 'user:owner', body: 'Why?', side: 'new' },
  ]);
  await server.call('GET', `${path}?state=open&file=a.ts&limit=5`);
  await server.call('PATCH', `${path}/${comment}`, { body: { state: 'resolved' } });
  await server.call('DELETE', `${path}/${comment}`);
  expect((await server.call('POST', `${path}/send`, { body: {} })).status).toBe(200);
  expect(server.host.asked).toEqual([
    ['addComment', id, { file: 'a.ts', line: 3, side: 'new', body: 'Why?' }, 'user:owner'],
    ['comments', id, { state: 'open', file: 'a.ts', limit: 5 }],
    ['editComment', id, comment, { state: 'resolved' }, 'user:owner'],
    ['removeComment', id, comment],
    ['sendComments', id, {}, 'user:owner'],
  ]);
  for (const body of [
    { file: '../a.ts', line: 1, body: 'Why?' },
    { file: '/a.ts', line: 1, body: 'Why?' },
    { file: 'a.ts', line: 0, body: 'Why?' },
    { file: 'a.ts', line: 1, body: '  ' },
    { file: 'a.ts', line: 1, body: 'Why?', author: 'agent' },
  ])
    expect((await server.call('POST', path, { body })).status).toBe(422);
});
