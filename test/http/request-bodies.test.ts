// What a body may hold is said at every depth, so that a typo is refused where it stands.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { StoredDispatch } from '../../src/store/stored-dispatch.js';
import { openTestServer, problemOf, refusal } from './test-server.js';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
});
const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        requestBody: z
          .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
          .optional(),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Places whose fields are not ours to name, each with the reason. */
const free: Readonly<Record<string, string>> = {
  'submitDispatch.labels': 'whatever the sender calls its work by',
  'submitDispatch.posture.env': 'variables of the agent',
  'submitDispatch.posture.structuredOutput': 'a JSON Schema',
  'submitDispatch.posture.mcpServers': 'servers by name',
  'submitDispatch.posture.mcpServers.*': 'the form of .mcp.json; what we do not know is for the runtime',
  'submitDispatch.posture.mcpServers.*.env': 'variables of the server',
  'submitDispatch.posture.mcpServers.*.headers': 'headers of the server',
  'createThread.posture.env': 'as above',
  'createThread.posture.structuredOutput': 'as above',
  'createThread.posture.mcpServers': 'as above',
  'createThread.posture.mcpServers.*': 'as above',
  'createThread.posture.mcpServers.*.env': 'as above',
  'createThread.posture.mcpServers.*.headers': 'as above',
  'createSchedule.work.labels': 'as above',
  'createSchedule.work.posture.env': 'as above',
  'createSchedule.work.posture.structuredOutput': 'as above',
  'createSchedule.work.posture.mcpServers': 'as above',
  'createSchedule.work.posture.mcpServers.*': 'as above',
  'createSchedule.work.posture.mcpServers.*.env': 'as above',
  'createSchedule.work.posture.mcpServers.*.headers': 'as above',
  'runPipeline.inputs': 'what the pipeline calls its inputs',
  'answerPrompt.decision.updatedInput': 'the input of a tool',
  'answerLikePrompts.decision.updatedInput': 'the input of a tool',
  'importThread.events': 'what an event holds depends on its type; it is only shown',
  'postItem.metadata.prompt': 'integrators send back the prompt that they answer, with all that it says',
};

/** Every object of the bodies that takes fields that nobody has named. */
function openPlaces(document: z.infer<typeof Document>): string[] {
  const walk = (given: unknown, place: string): string[] => {
    const schema = Schema.safeParse(given).data;
    if (!schema) return [];
    const { $ref, properties, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema;
    if ($ref !== undefined) return walk(document.components.schemas[$ref.split('/').at(-1) ?? ''], place);
    const isObject = schema.type === 'object' || properties !== undefined;
    return [
      ...(isObject && additionalProperties !== false ? [place] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, inner]) => walk(inner, `${place}.${name}`)),
      ...walk(additionalProperties, `${place}.*`),
      ...walk(items, place),
      ...[...anyOf, ...oneOf, ...allOf].flatMap((inner) => walk(inner, place)),
    ];
  };
  const places = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => walk(schema, operationId)),
    ),
  );
  return [...new Set(places)].toSorted();
}

describe('the OpenAPI document', () => {
  const document = Document.parse(
    JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')),
  );

  it('has no object in a body that takes any field, but for those that are free by name', () => {
    expect(openPlaces(document)).toEqual(Object.keys(free).toSorted());
  });

  it('is found out where it has one', () => {
    const schema = { type: 'object', additionalProperties: false, properties: { inner: { type: 'object' } } };
    const content = { 'application/json': { schema } };
    const planted = { '/': { post: { operationId: 'plant', requestBody: { content } } } };
    expect(openPlaces({ ...document, paths: planted })).toEqual(['plant.inner']);
  });
});

const work = { text: 'Do it', workspace: { path: '/work' } };
const promptId = `prm_${'0'.repeat(26)}`;
const content = [{ type: 'text', text: 'Hello' }];

it.each([
  ['/dispatches', { ...work, nonsense: 1 }, 'nonsense', 'text, runtime, workspace'],
  [
    '/dispatches',
    { ...work, posture: { nonsense: 1 } },
    'posture.nonsense',
    'permissionMode, command, skill, exitCodes, observableIdleSeconds, model',
  ],
  [
    '/dispatches',
    { ...work, workspace: { path: '/work', tree: true } },
    'workspace.tree',
    'path, worktree, branch',
  ],
  [
    '/dispatches',
    { ...work, unanswered: { txt: {} } },
    'unanswered.txt',
    'text, approval, ask_user_question',
  ],
  [
    '/dispatches',
    { ...work, unanswered: { text: { afterSeconds: 1, policy: 'deny', or: 1 } } },
    'unanswered.text.or',
    'afterSeconds, policy',
  ],
  [
    '/dispatches',
    { ...work, attachments: [{ type: 'file', path: 'a', content: '', mode: 1 }] },
    'attachments.0.mode',
    'type, path, content, name',
  ],
  [
    '/threads',
    { runtime: 'claude', workspace: { path: '/work' }, posture: { nonsense: 1 } },
    'posture.nonsense',
    'permissionMode',
  ],
  ['/threads/THREAD/items', { content, nonsense: 1 }, 'nonsense', 'content, attachments, seenSeq, metadata'],
  ['/threads/THREAD/items', { content: [{ ...content[0], lang: 'de' }] }, 'content.0.lang', 'type, text'],
  ['/threads/THREAD/items', { content, metadata: { queu: true } }, 'metadata.queu', 'queue, type, prompt'],
  [
    '/threads/THREAD/items',
    {
      content,
      metadata: { prompt: { prompt_id: promptId, answers: [{ question: 'q', answer: ['a'], note: 1 }] } },
    },
    'metadata.prompt.answers.0.note',
    'question, answer',
  ],
  [
    '/prompts/PROMPT/answer',
    { decision: { approved: true, nonsense: 1 } },
    'decision.nonsense',
    'approved, scope, updatedInput, message',
  ],
  [
    '/prompts/PROMPT/answer',
    { answers: [{ question: 'q', answer: ['a'], note: 1 }] },
    'answers.0.note',
    'question, answer',
  ],
  ['/prompts/PROMPT/answer', { text: 'yes', nonsense: 1 }, 'nonsense', 'text, holdSeconds'],
  [
    '/prompts/PROMPT/answer-like',
    { decision: { approved: true, nonsense: 1 } },
    'decision.nonsense',
    'approved',
  ],
])('POST %s refuses %j: names the place and what is allowed', async (path, body, place, allowed) => {
  await using server = await openTestServer();
  const thread = server.host.addThread();
  const where = path.replace('THREAD', thread.id).replace('PROMPT', promptId);
  const reply = await server.call('POST', where, { body });
  expect(problemOf(reply)).toEqual(refusal(422, 'invalid'));
  expect(reply.body).toMatchObject({
    errors: [{ path: place, message: expect.stringContaining(`Allowed: ${allowed}`) }],
    detail: expect.stringContaining(
      `the ${place} of the body. There is no such field here. Allowed: ${allowed}`,
    ),
  });
  expect(server.host.asked).toEqual([]);
});

it.each([
  [{ workspace: work.workspace }, 'the text of the body is missing.'],
  [{ ...work, text: 5 }, 'the text of the body must be a text.'],
  [{ ...work, text: '' }, 'the text of the body must not be empty.'],
  [{ ...work, workspace: '/work' }, 'the workspace of the body must be an object.'],
  [{ ...work, retries: -1 }, 'the retries of the body must be at least 0.'],
  [{ ...work, permissions: 'all' }, 'the permissions of the body must be approval or autonomous.'],
  [
    { ...work, notBefore: 'tomorrow' },
    'the notBefore of the body must be a time such as 2026-01-31T07:00:00Z.',
  ],
  [[work], 'the body must be an object.'],
])('says in plain words what is wrong with %j', async (body, said) => {
  await using server = await openTestServer();
  const reply = await server.call('POST', '/dispatches', { body });
  expect(problemOf(reply)).toEqual(refusal(422, 'invalid'));
  expect(reply.body).toMatchObject({ detail: `Malformed: ${said}` });
});

it('names each of two unknown fields', async () => {
  await using server = await openTestServer();
  const reply = await server.call('POST', '/dispatches', { body: { ...work, posture: { one: 1, two: 2 } } });
  expect(reply.body).toMatchObject({ errors: [{ path: 'posture.one' }, { path: 'posture.two' }] });
});

it('takes an item that sends the whole prompt back', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const prompt = {
    prompt_id: server.host.addPrompt(id).id,
    kind: 'approval',
    prompt_state: 'pending',
    questions: [],
    action: { tool: 'Bash', input: {}, digest: 'd' },
    answers: [{ question: 'q', answer: ['Approve'] }],
  };
  const body = { content, metadata: { type: 'pending_prompt', prompt } };
  const { status } = await server.call('POST', `/threads/${id}/items`, { body });
  expect(status).toBe(201);
  expect(server.host.asked.at(-1)).toMatchObject(['post', id, body, 'user:owner']);
});

it('reads a row that a newer worker has written', () => {
  const request = { ...work, posture: { model: 'm', newer: 1 }, newer: true };
  const row = {
    id: `dsp_${'0'.repeat(26)}`,
    threadId: `thr_${'0'.repeat(26)}`,
    text: 'Do it',
    actor: 'user:owner',
    state: 'queued',
    priority: 0,
    attempts: [],
    createdAt: '2026-01-02T03:04:05.000Z',
    request,
  };
  expect(StoredDispatch.parse(row).request).toEqual({ ...work, posture: { model: 'm' } });
});
