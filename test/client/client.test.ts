import { expect, it } from 'vitest';
import { ApiFailure, Client, factOf } from '../../src/client/index.js';
import { Failure } from '../../src/protocol/failure.js';
import { DispatchId, PromptId, ThreadId } from '../../src/protocol/id.js';
import { json, open, problem, scriptedWorker } from './scripted-worker.js';

const threadId = ThreadId.parse('thr_01k00000000000000000000000');
const dispatchId = DispatchId.parse('dsp_01k00000000000000000000000');
const promptId = PromptId.parse('prm_01k00000000000000000000000');
const at = '2026-01-01T00:00:00.000Z';
const dispatch = {
  id: dispatchId,
  threadId,
  text: 'do it',
  actor: 'user:owner',
  state: 'queued',
  priority: 0,
  attempts: [],
  createdAt: at,
};
const status = { state: 'idle', why: 'it says so', source: 'claude', confidence: 'strong' };
const thread = {
  id: threadId,
  title: 'work',
  runtime: 'claude',
  workspace: { path: '/work' },
  status,
  lastSeq: 7,
  usage: { inputTokens: 1, outputTokens: 2, costUsd: null },
  createdAt: at,
};
const prompt = {
  id: promptId,
  threadId,
  kind: 'text',
  state: 'pending',
  active: true,
  questions: [{ question: 'Which?', multiSelect: false, options: [] }],
  fingerprint: 'f',
  onUnanswered: 'wait',
  createdAt: at,
};

it('submits work with its token and its key', async () => {
  await using worker = await scriptedWorker([json(dispatch, 201)]);
  const client = new Client({ url: `${worker.url}/`, token: 'secret' });

  const made = await client.dispatches.submit(
    { text: 'do it', workspace: { path: '/work' } },
    { idempotencyKey: 'k' },
  );
  expect(made).toMatchObject({ id: dispatchId, state: 'queued' });
  expect(worker.heard).toMatchObject([
    {
      line: 'POST /api/v1/dispatches',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: { text: 'do it', workspace: { path: '/work' } },
    },
  ]);
});

it('changes work that waits', async () => {
  await using worker = await scriptedWorker([json({ ...dispatch, text: 'do that' })]);
  const client = new Client({ url: worker.url, token: 'secret' });

  expect(await client.dispatches.edit(dispatchId, { text: 'do that' })).toMatchObject({ text: 'do that' });
  expect(worker.heard).toMatchObject([
    {
      line: `PATCH /api/v1/dispatches/${dispatchId}`,
      headers: { 'content-type': 'application/json' },
      body: { text: 'do that' },
    },
  ]);
});

it('sends no token where it has none', async () => {
  await using worker = await scriptedWorker([json(thread)]);
  await new Client({ url: worker.url }).threads.get(threadId);

  expect(worker.heard[0]?.headers['authorization']).toBeUndefined();
});

it('reads every page of a list', async () => {
  const second = { ...thread, id: ThreadId.parse('thr_01k00000000000000000000001') };
  await using worker = await scriptedWorker([
    json({ threads: [thread], next: 'c 2' }),
    json({ threads: [second] }),
  ]);
  const ids: string[] = [];
  for await (const { id } of new Client({ url: worker.url }).threads.all()) ids.push(id);

  expect(ids).toEqual([threadId, second.id]);
  expect(worker.heard.map(({ line }) => line)).toEqual([
    'GET /api/v1/threads?limit=1000',
    'GET /api/v1/threads?limit=1000&cursor=c+2',
  ]);
});

it('reads stored events part by part, however large the parts are, up to the last that is wanted', async () => {
  const event = { type: 'notice', timestamp: '2026-01-01T00:00:00.000Z' };
  await using worker = await scriptedWorker([
    json({ events: [{ ...event, seq: 3 }], next: 3 }),
    json({ events: [4, 5].map((seq) => ({ ...event, seq })), next: 5 }),
    json({ events: [{ ...event, seq: 6 }] }),
  ]);
  const seqs: (number | null)[] = [];
  const { threads } = new Client({ url: worker.url });
  for await (const { seq } of threads.storedEvents(threadId, { after: 2, upTo: 9 })) seqs.push(seq);

  expect(seqs).toEqual([3, 4, 5, 6]);
  expect(worker.heard.map(({ line }) => line)).toEqual(
    [2, 3, 5].map((after) => `GET /api/v1/threads/${threadId}/events?after=${after}&limit=${9 - after}`),
  );
});

it('waits for an end as long as it takes', async () => {
  await using worker = await scriptedWorker([json(dispatch), json({ ...dispatch, state: 'ended' })]);

  expect(await new Client({ url: worker.url }).dispatches.ended(dispatchId)).toMatchObject({
    state: 'ended',
  });
  expect(worker.heard.map(({ line }) => line)).toEqual(
    Array(2).fill(`GET /api/v1/dispatches/${dispatchId}?wait=60`),
  );
});

it('answers prompts, and lists the open ones from the oldest on', async () => {
  const older = {
    ...prompt,
    id: PromptId.parse('prm_01k00000000000000000000001'),
    createdAt: '2025-01-01T00:00:00.000Z',
  };
  await using worker = await scriptedWorker([
    json({ prompts: [prompt, older] }),
    json({ ...prompt, state: 'answered' }),
  ]);
  const { prompts } = new Client({ url: worker.url });

  expect((await prompts.open({ thread: threadId })).map(({ id }) => id)).toEqual([older.id, promptId]);
  expect(await prompts.answer(promptId, { text: 'blue' })).toMatchObject({ state: 'answered' });
  expect(worker.heard.map(({ line, body }) => [line, body])).toEqual([
    [`GET /api/v1/prompts?thread=${threadId}&open=true&limit=1000`, undefined],
    [`POST /api/v1/prompts/${promptId}/answer`, { text: 'blue' }],
  ]);
});

it('follows statuses', async () => {
  await using worker = await scriptedWorker([
    open(`event: status\ndata: ${JSON.stringify({ threadId, status })}\n\n`),
  ]);
  for await (const change of new Client({ url: worker.url }).statuses()) {
    expect(change).toEqual({ threadId, status });
    break;
  }
});

it('turns a refusal into a failure with the words of the worker', async () => {
  await using worker = await scriptedWorker([problem('prompt_settled', 409, 'It was answered: blue.')]);
  const refused = new Client({ url: worker.url }).prompts.answer(promptId, { text: 'red' });

  await expect(refused).rejects.toBeInstanceOf(ApiFailure);
  await expect(refused).rejects.toMatchObject({
    code: 'prompt_settled',
    status: 409,
    message: 'It was answered: blue.',
  });
});

it.each([
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not_found', 404],
  ['too_large', 413],
  ['unavailable', 502],
  ['invalid', 400],
] as const)('understands %s from something that is no worker', async (code, status) => {
  await using worker = await scriptedWorker([(response) => void response.writeHead(status).end('<html>')]);

  await expect(new Client({ url: worker.url }).health()).rejects.toMatchObject({
    code,
    status,
    problem: undefined,
  });
});

it('says that a worker cannot be reached, or is not understood', async () => {
  const gone = await scriptedWorker([]);
  await gone[Symbol.asyncDispose]();
  await expect(new Client({ url: gone.url }).health()).rejects.toEqual(
    new Failure('unavailable', `The worker at ${gone.url} cannot be reached.`),
  );

  await using strange = await scriptedWorker([
    json({ ...thread, status: { state: 'dancing' } }),
    (response) => void response.end('{'),
  ]);
  const client = new Client({ url: strange.url });
  await expect(client.threads.get(threadId)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is not understood (status.state'),
  });
  await expect(client.threads.get(threadId)).rejects.toMatchObject({
    message: "The worker's answer broke off.",
  });
});

it('types what it knows of an event, and keeps what it does not', () => {
  const known = { seq: 1, type: 'assistant_text', timestamp: at, content: 'Hi' };
  expect(factOf(known)).toEqual({ type: 'assistant_text', timestamp: at, content: 'Hi' });
  expect(factOf({ seq: 2, type: 'notice', timestamp: at, message: 'm' })).toEqual({
    type: 'notice',
    timestamp: at,
    message: 'm',
  });
  expect(factOf({ seq: 3, type: 'notice', timestamp: at })).toBeUndefined();
  expect(factOf({ seq: 4, type: 'of_the_future', timestamp: at })).toBeUndefined();
  expect(factOf({ seq: 5, type: 'constructor', timestamp: at })).toBeUndefined();
});
