// What a token with scopes may do, decided route by route. A route that nobody decided about fails the first test: put it into
// src/http/route-scopes.ts, with the most that could be done there in mind.
import { expect, it } from 'vitest';
import { routeScopes } from '../../src/http/route-scopes.js';
import { type Scope, Scope as ScopeSchema } from '../../src/protocol/scope.js';
import { openapiOperations } from './openapi-operations.js';
import { openTestServer, redeem, request, secretOf } from './test-server.js';

const operations = openapiOperations();
const tokenless = new Set(operations.filter(({ id }) => routeScopes[id] === 'open').map(({ id }) => id));
const decided = operations.filter(({ id }) => !tokenless.has(id));

it('every route is decided about, and none that does not exist', () => {
  expect(Object.keys(routeScopes).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

it('what needs no token is what the door lets through without one', async () => {
  await using server = await openTestServer();
  for (const { id, method, path } of operations) {
    const { status } = await request(`${server.url}/api/v1${path}`, { method: method.toUpperCase() });
    // A login without a code is malformed, and not unknown.
    expect([id, status === 401]).toEqual([id, !tokenless.has(id)]);
  }
});

/** The scopes without which a route refuses, whatever the request is about. */
function scopesOf(id: string): readonly Scope[] {
  const need = routeScopes[id];
  switch (need) {
    case 'read':
    case 'own device':
    case 'open':
    case undefined:
      return [];
    case 'dispatch':
    case 'answer':
    case 'approve':
    case 'admin':
      return [need];
    case 'approve everything':
      return ['approve'];
    case 'work':
    case 'item':
      return ['dispatch'];
    case 'unasked work':
      return ['dispatch', 'approve'];
    case 'prompt':
    case 'equal prompts':
      return ['answer'];
    default:
      return need satisfies never;
  }
}

it('every route refuses whoever lacks one of its scopes, and names it', async () => {
  await using stage = await openStage();
  for (const { id, method, path } of decided)
    for (const missing of scopesOf(id)) {
      const scopes = ScopeSchema.options.filter((scope) => scope !== missing && scope !== 'admin');
      const { status, body } = await stage.call(scopes, method, path);
      expect({ id, status, body }).toMatchObject({
        id,
        status: 403,
        body: { code: 'forbidden', scope: missing },
      });
    }
  expect(stage.written()).toEqual([]);
});

it('every route lets those pass who have its scopes, and admins', async () => {
  for (const { id, method, path } of decided) {
    await using stage = await openStage();
    // Bodies are missing, so that most are refused behind the door: as malformed, and not as forbidden.
    const scopes = scopesOf(id);
    const { status } = await stage.call(scopes.length === 0 ? ['read'] : scopes, method, path);
    const { status: ofAdmin } = await stage.call(['admin'], method, path);
    expect([id, [401, 403].includes(status), [401, 403].includes(ofAdmin)]).toEqual([id, false, false]);
  }
});

it('somebody who may only read writes nothing, anywhere', async () => {
  await using stage = await openStage();
  const own = new Set(['createLoginLink', 'logout', 'addPushDevice', 'removePushDevice']);
  for (const { id, method, path } of decided.filter(
    ({ id: each, method: verb }) => verb !== 'get' && !own.has(each),
  ))
    expect([id, (await stage.call(['read'], method, path)).status]).toEqual([id, 403]);
  expect(stage.written()).toEqual([]);
});

it('the refusal names the token, the scope that is missing, and what to do', async () => {
  await using stage = await openStage();
  const { body } = await stage.call(['dispatch'], 'post', '/threads/{id}/merge');
  expect(body).toMatchObject({
    detail:
      'The token ada may not do this: it needs the scope approve. It has: read, dispatch. The owner creates another with: handraise token add NAME --scope approve',
    scope: 'approve',
  });
});

it.each([
  ['a question of the agent', {}, 'answer'],
  ['an action', { kind: 'approval', action: { tool: 'Bash', input: {}, digest: 'd' } }, 'approve'],
  [
    'a question of the worker',
    { questions: [{ question: 'Go on?', multiSelect: false, options: [], byWorker: true }] },
    'approve',
  ],
] as const)('%s is settled with its own scope alone', async (_, fields, scope) => {
  await using stage = await openStage();
  const { host } = stage.server;
  const prompt = host.promptsById.get(stage.prompt);
  if (!prompt) throw new Error('there is no prompt');
  host.promptsById.set(stage.prompt, { ...prompt, ...structuredClone(fields) } as never);
  const other = scope === 'answer' ? 'approve' : 'answer';
  const answer = { text: 'yes' };
  for (const verb of ['answer', 'answer-like', 'cancel', 'undo']) {
    const body = verb.startsWith('answer') ? answer : undefined;
    const refused = await stage.call([other, 'dispatch'], 'post', `/prompts/{id}/${verb}`, body);
    expect([verb, refused.status]).toEqual([verb, 403]);
    const taken = await stage.call([scope], 'post', `/prompts/{id}/${verb}`, body);
    expect([verb, taken.status]).not.toEqual([verb, 403]);
  }
  // The same by way of a message that names the prompt.
  host.promptsById.set(stage.prompt, { ...prompt, ...structuredClone(fields) } as never);
  const item = {
    content: [{ type: 'text', text: 'yes' }],
    metadata: { prompt: { prompt_id: stage.prompt } },
  };
  expect((await stage.call([other, 'dispatch'], 'post', '/threads/{id}/items', item)).status).toBe(403);
  expect((await stage.call([scope], 'post', '/threads/{id}/items', item)).status).toBe(201);
});

it('a message of somebody who may not answer and approve waits, so that it settles nothing', async () => {
  await using stage = await openStage();
  const item = { content: [{ type: 'text', text: 'yes' }] };
  const queued = { ...item, metadata: { queue: true } };
  for (const [scopes, sent] of [
    [['dispatch'], queued],
    [['dispatch', 'answer'], queued],
    [['dispatch', 'approve'], queued],
    [['dispatch', 'answer', 'approve'], item],
  ] as const) {
    expect((await stage.call(scopes, 'post', '/threads/{id}/items', item)).status).toBe(201);
    expect(stage.server.host.asked.at(-1)?.slice(0, 4)).toEqual(['post', stage.thread, sent, 'user:ada']);
  }
});

it('what somebody makes an agent do who may not approve is kept for a person, and not pushed by itself', async () => {
  await using stage = await openStage();
  const { asked } = stage.server.host;
  const keep = { onSuccess: 'keep' };
  const item = { content: [{ type: 'text', text: 'Do it' }] };
  const work = { text: 'Do it', thread: stage.thread };
  for (const [scopes, terms] of [
    [['dispatch'], keep],
    [['dispatch', 'answer', 'approve'], {}],
  ] as const) {
    expect((await stage.call(scopes, 'post', '/dispatches', work)).status).toBe(201);
    expect(asked.at(-1)?.[1]).toEqual({ ...work, ...terms });
    expect((await stage.call(scopes, 'post', '/threads/{id}/items', item)).status).toBe(201);
    expect(asked.at(-1)?.[4] ?? {}).toEqual(terms);
    expect((await stage.call(scopes, 'post', '/threads/{id}/comments/send', {})).status).toBe(200);
    expect(asked.at(-1)?.[4] ?? {}).toEqual(terms);
  }
});

it('work of somebody who may not approve is work that asks', async () => {
  await using stage = await openStage();
  const work = { text: 'Do it', workspace: { path: '/work' }, labels: { team: 'web' }, retries: 1 };
  expect((await stage.call(['dispatch'], 'post', '/dispatches', work)).status).toBe(201);
  expect(stage.server.host.asked.at(-1)?.[1]).toEqual({ ...work, permissions: 'approval' });
  for (const more of [
    { permissions: 'autonomous' },
    { runtime: 'exec' },
    { verify: ['true'] },
    { onSuccess: 'merge' },
    { posture: { command: 'rm -r .' } },
    { posture: { env: { A: 'b' } } },
  ]) {
    const reply = await stage.call(['dispatch'], 'post', '/dispatches', { ...work, ...more });
    expect(reply.body).toMatchObject({ status: 403, scope: 'approve' });
  }
  const free = { ...work, permissions: 'autonomous' };
  expect((await stage.call(['dispatch', 'approve'], 'post', '/dispatches', free)).status).toBe(201);
  expect(stage.server.host.asked.at(-1)?.[1]).toEqual(free);
});

it('somebody who may not approve gives no work to an agent that works unasked', async () => {
  await using stage = await openStage();
  stage.server.host.unasked.add(stage.thread);
  const item = { content: [{ type: 'text', text: 'Do it' }] };
  const calls: [string, unknown?][] = [
    ['/dispatches', { text: 'Do it', thread: stage.thread }],
    ['/threads/{id}/items', item],
    ['/threads/{id}/comments/send', {}],
    ['/dispatches/{id}/retry'],
  ];
  for (const [path, body] of calls)
    expect([path, (await stage.call(['dispatch', 'answer'], 'post', path, body)).status]).toEqual([
      path,
      403,
    ]);
  expect(stage.written()).toEqual([]);
  expect((await stage.call(['dispatch', 'approve'], 'post', '/threads/{id}/items', item)).status).toBe(201);
});

it.each([
  ['team=web', 200],
  ['team=infra', 403],
  ['team=we', 403],
  ['web=team', 403],
])('a token that approves %s at work with team=web: %i', async (label, status) => {
  await using stage = await openStage({ team: 'web', size: 'small' });
  const grant = { scopes: ['approve', 'dispatch'], approves: [label] } as const;
  // What is given to the thread later does not change whose it is.
  stage.server.host.addDispatch(stage.thread, { labels: { team: 'infra' } });
  const { host } = stage.server;
  const prompt = host.promptsById.get(stage.prompt);
  if (prompt) host.promptsById.set(stage.prompt, { ...prompt, kind: 'approval' });
  expect((await stage.callWith(grant, 'post', '/prompts/{id}/answer', { text: 'yes' })).status).toBe(status);
  expect((await stage.callWith(grant, 'post', '/threads/{id}/merge', {})).status).toBe(status);
  // What holds everywhere is not for an approver of one label.
  expect((await stage.callWith(grant, 'post', '/prompts/{id}/answer-like', { text: 'yes' })).status).toBe(
    403,
  );
  for (const path of ['/rules', '/project-code/approve', '/pipelines', '/schedules'])
    expect([path, (await stage.callWith(grant, 'post', path, {})).status]).toEqual([path, 403]);
});

it('a browser that was signed in with a token may what the token may, also after a restart', async () => {
  await using stage = await openStage();
  const { server } = stage;
  const headers = {
    authorization: `Bearer ${server.tokens().add('eve', { scope: 'limited', scopes: ['read'] })}`,
  };
  const { body } = await server.call('POST', '/login-links', { headers });
  const secret = secretOf(await redeem(server.url, (body as { url: string }).url));
  const asBrowser = { headers: { authorization: `Bearer ${secret}` } };
  const expected = { name: 'eve', scope: 'limited', may: ['read'] };
  expect((await server.call('GET', '/identity', asBrowser)).body).toEqual(expected);
  expect((await server.call('GET', '/console-settings', asBrowser)).body).toMatchObject({ may: ['read'] });
  expect((await server.call('POST', `/threads/${stage.thread}/stop`, asBrowser)).status).toBe(403);
  server.tokens().remove('eve');
  expect((await server.call('GET', '/identity', asBrowser)).status).toBe(401);
});

it('a device of somebody else is not theirs to remove', async () => {
  await using stage = await openStage();
  const report = { publicKey: 'k', devices: [{ id: '0'.repeat(16), actor: 'user:owner' }] };
  stage.server.host.push.report = () => report as never;
  const { status } = await stage.call(['read'], 'delete', `/push/${'0'.repeat(16)}`);
  expect(status).toBe(403);
});

interface Grant {
  readonly scopes: readonly Scope[];
  readonly approves?: readonly string[];
}

/** A server with a thread that has work and a question; each call comes with a token of its own. */
async function openStage(labels?: Record<string, string>) {
  const server = await openTestServer();
  const { id: thread } = server.host.addThread();
  const dispatch = server.host.addDispatch(thread, labels ? { labels } : {});
  const prompt = server.host.addPrompt(thread);
  const callWith = async (grant: Grant, method: string, path: string, body?: unknown) => {
    const token = server.tokens().add('ada', { scope: 'limited', ...grant });
    const id = path.startsWith('/dispatches')
      ? dispatch.id
      : path.startsWith('/prompts')
        ? prompt.id
        : thread;
    const place = path.replace('{id}', id);
    const query = method === 'get' && path.endsWith('/events') ? '?live=false' : '';
    const ending = AbortSignal.timeout(5000);
    try {
      return await streamless(`${server.url}/api/v1${place}${query}`, {
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: ending,
      });
    } finally {
      server.tokens().remove('ada');
    }
  };
  return {
    server,
    thread,
    prompt: prompt.id,
    callWith,
    call: (scopes: readonly Scope[], method: string, path: string, body?: unknown) =>
      callWith({ scopes }, method, path, body),
    /** What the host was asked to do, beside what the door looked up. */
    written: () => server.host.asked.filter(([name]) => name !== 'dispatches'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A request whose answer may be a stream without an end, of which nobody reads more than the head. */
async function streamless(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  if (response.headers.get('content-type')?.includes('json') !== true) {
    await response.body?.cancel();
    return { status: response.status, body: undefined };
  }
  const body: unknown = await response.json();
  return { status: response.status, body };
}
