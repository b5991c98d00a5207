import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';

const messages = [{ role: 'user', content: '[[text hi]]' }];

it('records what was asked and answered, without the keys', async () => {
  await using simulator = await startSimulator({ clock: () => new Date(0) });
  await fetch(`${simulator.url}/v1/messages?key=secret&beta=true`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'x-api-key': 'secret', 'x-other': 'kept' },
    body: JSON.stringify({ model: 'm', messages }),
  });

  const { headers, ...request } = simulator.requests[0] ?? { headers: {} };
  expect(headers).toMatchObject({
    authorization: '[redacted]',
    'x-api-key': '[redacted]',
    'x-other': 'kept',
  });
  expect(request).toEqual({
    seq: 1,
    at: '1970-01-01T00:00:00.000Z',
    method: 'POST',
    path: '/v1/messages?key=[redacted]&beta=true',
    body: { model: 'm', messages },
    wire: 'anthropic',
    conversation: {
      model: 'm',
      system: '',
      entries: [{ kind: 'user', text: '[[text hi]]' }],
      tools: [],
      stream: false,
      session: '',
    },
    decision: { reply: { blocks: [{ text: 'hi' }] }, from: 'prompt' },
    answer: { status: 200, events: 1 },
    closedEarly: false,
  });
});

it('keeps the newest requests only', async () => {
  await using simulator = await startSimulator({ keep: 2 });
  for (const path of ['/a', '/b', '/c']) await fetch(simulator.url + path);
  expect(simulator.requests.map(({ path }) => path)).toEqual(['/b', '/c']);
});

it('writes a line for each request to a log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handraise-log-'));
  const log = join(folder, 'requests.jsonl');
  {
    await using simulator = await startSimulator({ log });
    for (const path of ['/a', '/b']) await (await fetch(simulator.url + path)).text();
  }
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(['/a', '/b']);
  await expect(startSimulator({ log: join(folder, 'none/x') })).rejects.toMatchObject({
    code: 'missing_file',
  });
  await rm(folder, { recursive: true });
});

it('is seen and steered over HTTP', async () => {
  await using simulator = await startSimulator();
  const control = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${simulator.url}/_sim/${path}`, { method, ...(body && { body }) });
    const text = await response.text();
    return [response.status, text === '' ? undefined : JSON.parse(text)];
  };
  const script = { replies: [{ blocks: [{ text: 'scripted' }] }] };

  expect(await control('PUT', 'script', JSON.stringify(script))).toEqual([204, undefined]);
  expect(await control('GET', 'script')).toEqual([200, script]);
  await fetch(`${simulator.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ messages }) });
  expect(await control('GET', 'requests')).toEqual([200, JSON.parse(JSON.stringify(simulator.requests))]);
  expect(await control('DELETE', 'requests')).toEqual([204, undefined]);
  expect(await control('GET', 'requests')).toEqual([200, []]);
  expect(await control('PUT', 'script', '{')).toEqual([422, problem(422, 'invalid')]);
  expect(await control('PUT', 'script', '{"replies":[{"x":1}]}')).toEqual([422, problem(422, 'invalid')]);
  expect(await control('GET', 'nothing')).toEqual([404, problem(404, 'not_found')]);
});

it('shows its records to no foreign host name', async () => {
  await using simulator = await startSimulator();
  const status = await new Promise((resolve, reject) => {
    const options = { port: simulator.port, path: '/_sim/requests', headers: { host: 'evil.example' } };
    httpRequest(options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

it('refuses a port that is taken', async () => {
  await using simulator = await startSimulator();
  await expect(startSimulator({ port: simulator.port })).rejects.toMatchObject({
    code: 'unavailable',
    message: `Port ${simulator.port} is in use. Choose another with --port; 0 picks a free one.`,
  });
});

it('answers side calls without using up the script', async () => {
  await using simulator = await startSimulator({ script: { replies: [{ blocks: [{ text: 'one' }] }] } });
  const ask = async (body: object) => {
    const response = await fetch(`${simulator.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return JSON.parse(await response.text()).content[0].text;
  };
  const title = { system: 'You are a title generator.', messages };
  const compaction = {
    messages: [{ role: 'user', content: 'Write a detailed summary of the conversation.' }],
  };

  expect([await ask(title), await ask(compaction), await ask({ messages })]).toEqual([
    'Simulated title',
    '<summary>Simulated summary of the conversation.</summary>',
    'one',
  ]);
  expect(simulator.requests.map(({ decision }) => decision?.sideCall)).toEqual([
    'title',
    'compaction',
    undefined,
  ]);
  expect(simulator.modelRequests().map(({ seq }) => seq)).toEqual([3]);
});

it('answers with JSON where a schema is given', async () => {
  await using simulator = await startSimulator();
  const properties = {
    score: { type: 'INTEGER' },
    next_speaker: { type: 'STRING', enum: ['model', 'user'] },
  };
  const generationConfig = {
    responseSchema: { type: 'OBJECT', properties, required: ['score', 'next_speaker'] },
  };
  const contents = [{ role: 'user', parts: [{ text: 'Judge!' }] }];
  const systemInstruction = { parts: [{ text: 'You are a specialized Task Routing AI.' }] };
  for (const body of [
    { contents, generationConfig },
    { contents, generationConfig, systemInstruction },
  ]) {
    const path = `${simulator.url}/models/m:generateContent`;
    const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
    const { candidates } = JSON.parse(await answer.text());
    expect(JSON.parse(candidates[0].content.parts[0].text)).toEqual({ score: 1, next_speaker: 'user' });
  }
  expect(simulator.requests.map(({ decision }) => decision?.from)).toEqual(['default', 'side_call']);
});

function problem(status: number, code: string): unknown {
  return { type: 'about:blank', status, code, title: expect.any(String), detail: expect.any(String) };
}
