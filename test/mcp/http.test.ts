// The worker's MCP server over HTTP: the doors before it, and what a token may do behind them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { agentTools, personTools } from '../../src/mcp/tools.js';
import type { Prompt } from '../../src/protocol/prompt.js';
import { rawRequest } from '../http/raw-request.js';
import { openTestServer, problemOf, refusal, request, type TestServer } from '../http/test-server.js';
import { connectHttp, textOf } from './mcp-client.js';

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function post(server: TestServer, body: unknown, headers: Record<string, string> = {}) {
  return request(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

it('opens with a token alone, on this machine, from no page of another site', async () => {
  await using server = await openTestServer();
  expect(problemOf(await post(server, hello, { authorization: 'Bearer wrong' }))).toEqual(
    refusal(401, 'unauthorized'),
  );
  expect(problemOf(await post(server, hello, { origin: 'https://evil.example' }))).toEqual(
    refusal(403, 'forbidden_origin'),
  );
  expect(problemOf(await post(server, hello, { 'sec-fetch-site': 'cross-site' }))).toEqual(
    refusal(403, 'forbidden_origin'),
  );
  const rebound = await rawRequest(server.port, [
    'POST /mcp HTTP/1.1',
    'Host: evil.example',
    `Authorization: Bearer ${server.token()}`,
    'Content-Length: 0',
    'Connection: close',
  ]);
  expect(rebound).toContain('403 Forbidden');
  expect(problemOf(await post(server, hello, { 'content-type': 'text/plain' }))).toEqual(
    refusal(415, 'invalid'),
  );
  expect(problemOf(await post(server, `"${'x'.repeat(1024 * 1024)}"`))).toEqual(refusal(413, 'too_large'));
  expect((await post(server, hello)).status).toBe(200);
});

it('an agent of ours does not pass with a token of a person', async () => {
  await using server = await openTestServer({ isAgent: () => true });
  expect(problemOf(await post(server, hello))).toEqual(refusal(403, 'forbidden'));
});

it('what is no message is refused in the words of JSON-RPC, and the session goes on', async () => {
  await using server = await openTestServer();
  const opened = await post(server, hello);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  for (const body of ['{', '{"jsonrpc":"2.0"}', '"text"', '{"jsonrpc":"2.0","id":{},"method":"ping"}'])
    expect((await post(server, body, session)).status, body).toBe(400);
  const listed = await post(server, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
  expect(listed.status).toBe(200);
  expect(problemOf(await post(server, hello, { 'mcp-session-id': 'guessed' }))).toEqual(
    refusal(404, 'not_found'),
  );
});

it('a session belongs to the token that opened it (CVE-2026-25536)', async () => {
  await using server = await openTestServer();
  const other = server.tokens().add('other', { scope: 'full' });
  const opened = await post(server, hello);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const foreign = await post(server, list, { ...session, authorization: `Bearer ${other}` });
  expect(problemOf(foreign)).toEqual(refusal(404, 'not_found'));
  server.tokens().remove('other');
  expect((await post(server, list, { ...session, authorization: `Bearer ${other}` })).status).toBe(401);
});

// Every tool and every argument of it, decided for both kinds of token. What is missing here fails.
const forPersons: Record<string, string[]> = {
  dispatch: 'text workspace worktree repo ref thread runtime model title priority seconds'.split(' '),
  list: ['state', 'thread', 'limit', 'cursor'],
  status: ['id'],
  wait: ['id', 'seconds'],
  answer: ['prompt', 'text', 'decision', 'digest', 'message'],
  diff: ['id', 'files'],
  run_skill: ['skill', 'text', 'workspace', 'worktree', 'title', 'seconds'],
  run_pipeline: ['file', 'source', 'workspace', 'inputs', 'seconds'],
  pipeline: ['id', 'seconds'],
};
const forAgents: Record<string, string[]> = {
  dispatch: ['text', 'worktree', 'priority', 'seconds'],
  list: ['state', 'thread', 'limit', 'cursor'],
  status: ['id'],
  wait: ['id', 'seconds'],
  diff: ['id', 'files'],
};

const named = (tools: typeof personTools) =>
  Object.fromEntries(tools.map(({ name, input }) => [name, Object.keys(input.shape)]));

it('every tool and every argument is decided about, for persons and for agents', () => {
  expect(named(personTools)).toEqual(forPersons);
  expect(named(agentTools)).toEqual(forAgents);
});

it('a token of scope agent has its tools and no other, and what a tool does not take is refused', async () => {
  await using stage = await openAgentStage();
  const { mcp, server } = stage;
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(forAgents));
  for (const { inputSchema } of tools) expect(inputSchema['additionalProperties']).toBe(false);

  for (const name of ['answer', 'run_skill', 'run_pipeline', 'pipeline', '__proto__'])
    await expect(mcp.tool(name, {})).rejects.toMatchObject({ code: -32_602 });
  const refusedArguments = {
    runtime: 'codex',
    model: 'large',
    permissions: 'autonomous',
    workspace: '/',
    thread: stage.foreign,
    posture: {},
    skill: 'audit',
    verify: 'rm',
    budget: { usd: 100 },
  };
  for (const [name, value] of Object.entries(refusedArguments)) {
    const refused = await mcp.tool('dispatch', { text: 'Do it', [name]: value });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(name)]);
  }
  expect(server.host.asked.filter(([name]) => name === 'submit')).toEqual([]);

  const given = await mcp.tool('dispatch', { text: 'Do it', worktree: true, priority: 3 });
  expect(given.isError).toBeUndefined();
  expect(server.host.asked.find(([name]) => name === 'submit')?.slice(1)).toEqual([
    {
      text: 'Do it',
      labels: { 'mcp.tool': 'dispatch' },
      workspace: { path: stage.workspace, worktree: true },
      priority: 3,
      permissions: 'approval',
    },
    { actor: 'user:helper', callers: [] },
  ]);
});

it('what somebody else gave does not exist for a token of scope agent', async () => {
  await using stage = await openAgentStage();
  for (const [tool, args] of [
    ['status', { id: stage.foreign }],
    ['wait', { id: stage.foreignWork, seconds: 0 }],
    ['diff', { id: stage.foreign }],
    ['list', { thread: stage.foreign }],
  ] as const) {
    const refused = await stage.mcp.tool(tool, args);
    expect([tool, refused.isError, textOf(refused)]).toEqual([
      tool,
      true,
      expect.stringMatching(/^There is no (thread|dispatch)/),
    ]);
  }
  await expect(stage.mcp.client.experimental.tasks.getTask(stage.foreignWork)).rejects.toMatchObject({
    code: -32_602,
  });
});

it.each([
  ['nothing', {}],
  ['a text of another kind', { text: 7 }],
  ['an empty text', { text: '' }],
  ['a text without end', { text: 'x'.repeat(100_001), workspace: '/' }],
  ['an unknown field', { text: 'x', workspace: '/', shell: 'rm' }],
  ['a priority that is none', { text: 'x', workspace: '/', priority: 1e9 }],
  ['no folder', { text: 'x' }],
  ['a thread together with a model', { text: 'x', thread: 'thr_01k9w00000000000000000000a', model: 'm' }],
])('dispatch with %s is refused in a sentence', async (_, args) => {
  await using server = await openTestServer();
  await using mcp = await connectHttp(server.url, server.token());
  const refused = await mcp.tool('dispatch', args);
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/\w/)]);
  expect(server.host.asked).toEqual([]);
});

it('only what was shown whole is approved, with the digest of what was shown', async () => {
  await using server = await openTestServer();
  const { id: thread } = server.host.addThread();
  const add = (input: Record<string, unknown>): Prompt => {
    const prompt: Prompt = {
      ...server.host.addPrompt(thread),
      kind: 'approval',
      action: { tool: 'Bash', input, digest: 'abc' },
    };
    server.host.promptsById.set(prompt.id, prompt);
    return prompt;
  };
  await using mcp = await connectHttp(server.url, server.token());
  const long = add({ command: 'true\n'.repeat(500) });
  const hidden = add({ command: 'echo \u202Ehi' });
  for (const { id } of [long, hidden]) {
    const refused = await mcp.tool('answer', { prompt: id, decision: 'approve', digest: 'abc' });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringContaining(`handraise answer ${id}`),
    ]);
  }
  const short = add({ command: 'npm test' });
  for (const args of [{ decision: 'approve' }, { decision: 'approve', digest: 'old' }, { text: 'yes' }]) {
    const refused = await mcp.tool('answer', { prompt: short.id, ...args });
    expect(refused.isError).toBe(true);
  }
  expect(server.host.asked.filter(([name]) => name === 'answer')).toEqual([]);

  const { structuredContent } = await mcp.tool('status', { id: thread });
  const { prompts } = z
    .object({ prompts: z.array(z.object({ prompt: z.string(), digest: z.string().optional() })) })
    .parse(structuredContent);
  expect(prompts.map(({ prompt, digest }) => [prompt, digest])).toEqual([
    [long.id, undefined],
    [hidden.id, undefined],
    [short.id, 'abc'],
  ]);
  await mcp.tool('answer', { prompt: short.id, decision: 'approve', digest: 'abc' });
  await mcp.tool('answer', { prompt: long.id, decision: 'deny', message: 'No.' });
  expect(server.host.asked.filter(([name]) => name === 'answer')).toEqual([
    ['answer', short.id, { decision: { approved: true } }, 'user:owner'],
    ['answer', long.id, { decision: { approved: false, message: 'No.' } }, 'user:owner'],
  ]);
});

it('where the program can ask, its person decides about an approval, and a no to the form leaves it open', async () => {
  await using server = await openTestServer();
  const thread = server.host.addThread();
  const prompt: Prompt = {
    ...server.host.addPrompt(thread.id),
    kind: 'approval',
    action: { tool: 'Bash', input: { command: 'npm publish' }, digest: 'abc' },
  };
  server.host.promptsById.set(prompt.id, prompt);
  const shown: string[] = [];
  const replies = [
    { action: 'decline' as const },
    { action: 'cancel' as const },
    { action: 'accept' as const, content: { decision: 'approve' } },
  ];
  await using mcp = await connectHttp(server.url, server.tokens().add('ada', { scope: 'full' }), {
    person: (message) => {
      shown.push(message);
      return replies.shift() ?? { action: 'cancel' };
    },
  });
  const approve = () => mcp.tool('answer', { prompt: prompt.id, decision: 'approve', digest: 'abc' });
  for (const action of ['decline', 'cancel']) {
    const refused = await approve();
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(action)]);
  }
  expect(server.host.asked.filter(([name]) => name === 'answer')).toEqual([]);
  await approve();
  expect(server.host.asked.filter(([name]) => name === 'answer')).toEqual([
    ['answer', prompt.id, { decision: { approved: true } }, 'user:ada'],
  ]);
  expect(shown).toEqual(Array(3).fill(expect.stringContaining('npm publish')));
});

/** A server, and an MCP client with a token of scope agent, beside work of somebody else. */
async function openAgentStage() {
  const server = await openTestServer({ isAgent: () => true });
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-mcp-')));
  const token = server.tokens().add('helper', { scope: 'agent', workspace });
  const { id: foreign } = server.host.addThread();
  const { id: foreignWork } = server.host.addDispatch(foreign);
  const mcp = await connectHttp(server.url, token);
  return {
    server,
    workspace,
    foreign,
    foreignWork,
    mcp,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      rmSync(workspace, { recursive: true });
    },
  };
}
