import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptInput, type Simulator, startSimulator } from '../../src/simulator/index.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator[Symbol.asyncDispose]());

it.each([
  ['/v1/messages', { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }],
  ['/v1/responses', { error: { message: 'slow down', type: 'simulated_error', code: null } }],
  ['/v1/chat/completions', { error: { message: 'slow down', type: 'simulated_error', code: null } }],
  ['/models/m:generateContent', { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }],
])('%s fails in the words of its vendor', async (path, problem) => {
  simulator.setScript({
    replies: [{ fault: { kind: 'error', status: 429, message: 'slow down', retryAfterSeconds: 2 } }],
  });
  const response = await post({}, path);
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    429,
    '2',
    problem,
  ]);
});

it('fails twice and then works', async () => {
  expect(
    await statuses({
      replies: [
        { fault: { kind: 'error', status: 529, times: 2 }, blocks: [{ text: 'a' }] },
        { blocks: [{ text: 'b' }] },
      ],
    }),
  ).toEqual(['529', '529', 'a', 'b', 'Simulated reply to: hi']);
});

it('goes on to the next reply when the failed one has nothing to say', async () => {
  expect(
    await statuses({ replies: [{ fault: { kind: 'error', status: 500 } }, { blocks: [{ text: 'b' }] }] }),
  ).toEqual(['500', 'b', 'Simulated reply to: hi', 'Simulated reply to: hi', 'Simulated reply to: hi']);
});

it('counts the faults of a prompt for each session apart', async () => {
  simulator.setScript({ replies: [] });
  const body = userMessage('[[error 500 times=1]] [[text fine]]');
  const ask = async (session: string) => {
    const asked = { ...body, metadata: { user_id: session } };
    return (await post(asked)).status;
  };
  expect([await ask('a'), await ask('a'), await ask('b'), await ask('b')]).toEqual([500, 200, 500, 200]);
});

const statusOf = async (messages: readonly object[]) =>
  (await post({ ...userMessage(''), metadata: { user_id: 'a' }, messages })).status;

it('counts on when an agent goes on with a session, whatever it puts before the prompt and after it', async () => {
  simulator.setScript({ replies: [] });
  const prompt = { role: 'user', content: '[[error 429 times=1]] [[text fine]]' };
  const reminder = { role: 'user', content: '<system-reminder>Be brief.</system-reminder>' };
  const goOn = { role: 'user', content: 'Continue where you stopped.' };
  expect([await statusOf([prompt]), await statusOf([reminder, prompt, goOn])]).toEqual([429, 200]);
});

it('cuts the stream after the scripted number of events', async () => {
  const { text, complete } = await streamed('[[cut 4]] [[text Hello, wide world]]');
  expect([events(text), complete]).toEqual([4, false]);
  await simulator.waitFor(({ answer }) => answer?.cut === true);
  expect(simulator.requests.at(-1)).toMatchObject({ answer: { events: 4 }, closedEarly: false });
});

it('breaks the JSON of one event', async () => {
  const { text, complete } = await streamed('[[malformed 4]] [[text Hello, wide world]]');
  const last = text.trimEnd().split('\n').at(-1)?.slice('data: '.length) ?? '';
  expect([events(text), complete]).toEqual([5, true]);
  expect(() => JSON.parse(last)).toThrow(SyntaxError);
});

it('breaks an answer in one piece, however many events were scripted', async () => {
  simulator.setScript({ replies: [] });
  const malformed = await post(userMessage('[[malformed 4]]'));
  expect([malformed.status, await malformed.json().catch(() => 'no JSON')]).toEqual([200, 'no JSON']);
  const cut = await post(userMessage('[[cut 4]]'));
  expect([cut.status, await cut.text().catch(() => 'cut off')]).toEqual([200, 'cut off']);
});

it('hangs, before the first byte or later, and sees the client leave', async () => {
  simulator.setScript({ replies: [] });
  for (const prompt of ['[[hang]]', '[[hang 2]] [[text Hello]]']) {
    const client = new AbortController();
    const answer = post({ ...userMessage(prompt), stream: true }, '/v1/messages', client.signal).then((got) =>
      got.text(),
    );
    const request = await simulator.waitFor(
      ({ body, decision }) => isAbout(body, prompt) && decision !== undefined,
    );
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
    await simulator.waitFor(({ seq, closedEarly }) => seq === request.seq && closedEarly);
  }
});

it('streams thousands of deltas and megabytes whole', async () => {
  const many = await streamed('[[deltas 5000 xxxx]]');
  expect([events(many.text), many.complete]).toEqual([5005, true]);
  const huge = await streamed('[[huge 2mb]]');
  expect([events(huge.text), huge.text.includes('x'.repeat(2 * 1024 ** 2))]).toEqual([6, true]);
});

it('takes its time', async () => {
  const start = performance.now();
  await streamed('[[delay 50]] [[slow 10]] [[text hi]]');
  expect(performance.now() - start).toBeGreaterThan(50 + 5 * 10);
});

async function statuses(script: ScriptInput): Promise<string[]> {
  simulator.setScript(script);
  const seen: string[] = [];
  for (let asked = 0; asked < 5; asked++) {
    const response = await post(userMessage('hi'));
    const { content } = JSON.parse(await response.text());
    seen.push(response.ok ? content[0].text : String(response.status));
  }
  return seen;
}

async function streamed(prompt: string): Promise<{ text: string; complete: boolean }> {
  simulator.setScript({ replies: [] });
  const response = await post({ ...userMessage(prompt), stream: true });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, complete: true };
  } catch {
    return { text, complete: false };
  }
}

function post(body: object, path = '/v1/messages', signal?: AbortSignal): Promise<Response> {
  return fetch(simulator.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

function userMessage(text: string): { messages: object[] } {
  return { messages: [{ role: 'user', content: text }] };
}

function isAbout(body: unknown, prompt: string): boolean {
  return JSON.stringify(body).includes(JSON.stringify(prompt));
}

function events(text: string): number {
  return text.split('\n').filter((line) => line.startsWith('data: ')).length;
}
