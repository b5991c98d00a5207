// What a token of scope agent may do, decided route by route and field by field. A route or a field that nobody decided
// about fails the first test: put it into the table below, as refused unless there is a reason.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentRights } from '../../src/http/agent-rights.js';
import { ThreadId } from '../../src/protocol/id.js';
import { openapiOperations } from './openapi-operations.js';
import { openTestServer, problemOf, refusal, type TestServer } from './test-server.js';

/** Fields are named as `body.posture.model`; whoever refuses a field refuses what is in it, too. */
type Decision =
  | 'needs no token'
  | 'only a person'
  | { readonly may: readonly string[]; readonly mayNot: readonly string[] };

const page = ['query.cursor', 'query.limit', 'query.order'];
const part = ['query.after', 'query.limit'];
const attachments = ['type', 'mediaType', 'data', 'path', 'content', 'name'].map(
  (name) => `body.attachments.${name}`,
);
// Everything of a posture but the model.
const refusedPosture =
  `permissionMode command skill exitCodes fallbackModel toolPreset checkpointing structuredOutput maxTurns
  maxThinkingTokens instructions mcpServers settingSources betas env linearIssue targetBranch debug memoryLimit
  container observableIdleSeconds`.split(/\s+/);
const own = { may: ['path.id'], mayNot: [] };

const decisions: Readonly<Record<string, Decision>> = {
  getHealth: 'needs no token',
  getReadiness: 'needs no token',
  getMetrics: 'only a person',
  getProof: 'needs no token',
  getOpenapi: 'needs no token',
  login: 'needs no token',
  createLoginLink: 'only a person',
  logout: 'only a person',
  shutdown: 'only a person',
  createThread: 'only a person',
  listThreads: 'only a person',
  editThread: 'only a person',
  archiveThread: 'only a person',
  snoozeThread: 'only a person',
  removeThread: 'only a person',
  pruneThreads: 'only a person',
  backUpStore: 'only a person',
  importThread: 'only a person',
  setPermissionMode: 'only a person',
  listLandings: 'only a person',
  mergeThread: 'only a person',
  applyThread: 'only a person',
  openPullRequest: 'only a person',
  pushThread: 'only a person',
  watchPullRequest: 'only a person',
  unwatchPullRequest: 'only a person',
  discardThread: 'only a person',
  drainWorker: 'only a person',
  openTerminal: 'only a person',
  beginTerminal: 'only a person',
  closeTerminal: 'only a person',
  listSessions: 'only a person',
  adoptSession: 'only a person',
  listPrecedents: 'only a person',
  createRule: 'only a person',
  listRules: 'only a person',
  getRule: 'only a person',
  switchRuleOn: 'only a person',
  withdrawRule: 'only a person',
  getPush: 'only a person',
  addPushDevice: 'only a person',
  removePushDevice: 'only a person',
  runPipeline: 'only a person',
  listPipelines: 'only a person',
  getPipeline: 'only a person',
  cancelPipeline: 'only a person',
  listObserved: 'only a person',
  reportObserved: 'only a person',
  forgetObserved: 'only a person',
  listSchedules: 'only a person',
  createSchedule: 'only a person',
  getSchedule: 'only a person',
  listScheduleRuns: 'only a person',
  pauseSchedule: 'only a person',
  resumeSchedule: 'only a person',
  runSchedule: 'only a person',
  removeSchedule: 'only a person',
  listComments: 'only a person',
  addComment: 'only a person',
  sendComments: 'only a person',
  editComment: 'only a person',
  removeComment: 'only a person',
  editDispatch: 'only a person',
  rewindThread: 'only a person',
  setThinkingBudget: 'only a person',
  listAgentModels: 'only a person',
  listAgentCommands: 'only a person',
  listAgentServers: 'only a person',
  getAgentAccount: 'only a person',
  answerPrompt: 'only a person',
  answerLikePrompts: 'only a person',
  undoAnswer: 'only a person',
  cancelPrompt: 'only a person',
  listStatuses: 'only a person',
  followOverview: 'only a person',
  getUsage: 'only a person',
  listWorkers: 'only a person',
  listRuntimes: 'only a person',
  getConsoleSettings: 'only a person',
  inspectProjectCode: 'only a person',
  approveProjectCode: 'only a person',
  listGrants: 'only a person',
  withdrawGrant: 'only a person',
  submitDispatch: {
    may: [
      'header.Idempotency-Key',
      ...['text', 'title', 'priority', 'labels', 'thread', 'runtime', 'permissions'].map(
        (name) => `body.${name}`,
      ),
      'body.workspace.path',
      'body.workspace.worktree',
      'body.posture.model',
      ...attachments,
    ],
    mayNot: [
      ...[
        'name',
        'on',
        'verify',
        'verifyMerged',
        'onSuccess',
        'retries',
        'timeoutSeconds',
        'budget.usd',
        'budget.tokens',
        'threadBudget.usd',
        'threadBudget.tokens',
        'onFailure',
        'notBefore',
        'noInput',
        'unanswered',
      ].map((name) => `body.${name}`),
      'body.workspace.branch',
      'body.workspace.includeChanges',
      'body.workspace.repo',
      'body.workspace.ref',
      ...refusedPosture.map((name) => `body.posture.${name}`),
    ],
  },
  listDispatches: {
    may: ['query.thread', 'query.mine', 'query.state', ...page],
    mayNot: ['query.idPrefix', 'query.idSuffix', 'query.label', 'query.parent'],
  },
  getIdentity: { may: [], mayNot: [] },
  getDispatch: { may: ['path.id', 'query.wait'], mayNot: [] },
  cancelDispatch: own,
  retryDispatch: own,
  getThread: own,
  listItems: { may: ['path.id', ...part], mayNot: [] },
  listEvents: { may: ['path.id', ...part, 'query.live', 'header.Last-Event-Id'], mayNot: [] },
  getToolOutput: { may: ['path.id', 'path.toolUseId', ...part], mayNot: [] },
  getStatusLog: { may: ['path.id', ...page], mayNot: [] },
  getDiff: own,
  getChanges: { may: ['path.id', 'query.cursor', 'query.limit', 'query.hunks', 'query.path'], mayNot: [] },
  getChangedFileLines: {
    may: ['path.id', 'query.path', 'query.side', 'query.from', 'query.count'],
    mayNot: [],
  },
  postItem: {
    may: ['path.id', 'body.content.type', 'body.content.text', 'body.metadata.queue', ...attachments],
    mayNot: ['body.seenSeq', 'body.metadata.type', 'body.metadata.prompt'],
  },
  setModel: { may: ['path.id', 'body.model'], mayNot: [] },
  interruptThread: own,
  stopThread: own,
  removeWorktree: { may: ['path.id'], mayNot: ['query.force'] },
  listPrompts: {
    may: ['query.thread', 'query.state', 'query.open', ...page],
    mayNot: ['query.idPrefix', 'query.idSuffix'],
  },
  getPrompt: own,
};

const operations = openapiOperations();

it('every route and every field that it takes is decided about, and nothing that does not exist', () => {
  expect(Object.keys(decisions).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  const undecided: string[] = [];
  for (const { id, fields } of operations) {
    const decision = decisions[id];
    if (typeof decision !== 'object') continue;
    const { may, mayNot } = decision;
    for (const field of fields)
      if (!may.includes(field) && !mayNot.some((name) => isIn(field, name)))
        undecided.push(`${id}: ${field}`);
    for (const name of [...may, ...mayNot].filter((each) => !fields.some((field) => isIn(field, each))))
      undecided.push(`${id} has no ${name}`);
  }
  expect(undecided).toEqual([]);
});

it('the rights in the program are those of this table', () => {
  const allowed = Object.keys(decisions).filter((id) => typeof decisions[id] === 'object');
  expect(Object.keys(agentRights).toSorted()).toEqual(allowed.toSorted());
});

it.each(operations.filter(({ id }) => decisions[id] === 'only a person'))(
  'only a person: $method $path',
  async ({ method, path }) => {
    await using stage = await openAgentStage();
    const reply = await stage.call(method, path.replace('{id}', stage.idFor(path)));
    expect(problemOf(reply)).toEqual(refusal(403, 'forbidden'));
    expect(stage.server.host.asked).toEqual([]);
  },
);

const refusedFields = operations.flatMap(({ id, method, path }) => {
  const decision = decisions[id];
  return typeof decision === 'object' ? decision.mayNot.map((field) => ({ id, method, path, field })) : [];
});

it.each(refusedFields)('refused: $field of $id', async ({ method, path, field }) => {
  await using stage = await openAgentStage();
  const [place = '', ...names] = field.split('.');
  const query = place === 'query' ? `?thread=${stage.thread}&${names.join('.')}=true` : '';
  const body = place === 'body' ? nested(names) : undefined;
  stage.server.host.asked.length = 0;
  const reply = await stage.call(method, `${path.replace('{id}', stage.idFor(path))}${query}`, body);
  expect(problemOf(reply)).toEqual(refusal(403, 'forbidden'));
  expect(stage.server.host.asked.filter(([name]) => name !== 'dispatches')).toEqual([]);
});

it.each([
  ['another runtime', { runtime: 'exec' }],
  ['a runtime of somebody', { runtime: 'acp:mine' }],
  ['no asking', { permissions: 'autonomous' }],
  ['another workspace', { workspace: { path: '/' } }],
  ['the folder above', { workspace: { path: join(tmpdir(), '..') } }],
  ['a repository', { workspace: { repo: 'https://git.example/a.git', ref: 'main' } }],
  ['a workspace that is not there', { workspace: { path: '/nowhere' } }],
  ['a field of tomorrow', { shell: 'rm' }],
  [
    'a field of tomorrow, deep inside',
    { attachments: [{ type: 'file', path: 'a', content: 'b', fetch: 'c' }] },
  ],
])('work with %s is refused', async (_, fields) => {
  await using stage = await openAgentStage();
  const workspace = { path: stage.workspace };
  const reply = await stage.call('post', '/dispatches', { text: 'Do it', workspace, ...fields });
  expect(problemOf(reply)).toEqual(refusal(403, 'forbidden'));
  expect(stage.server.host.asked).toEqual([]);
});

it('work with everything that is allowed is taken, and a person is asked about it', async () => {
  await using stage = await openAgentStage();
  const request = {
    text: 'Do it',
    title: 'It',
    priority: 1,
    labels: { of: 'helper' },
    workspace: { path: join(stage.workspace, '.'), worktree: true },
    runtime: 'codex',
    posture: { model: 'small' },
    attachments: [{ type: 'file', path: 'a.txt', content: 'text' }],
  };
  const headers = { 'idempotency-key': 'mine' };
  expect((await stage.call('post', '/dispatches', request, headers)).status).toBe(201);
  const [, submitted, by] = stage.server.host.asked[0] ?? [];
  expect(submitted).toEqual({
    ...request,
    permissions: 'approval',
    workspace: { path: stage.workspace, worktree: true },
  });
  // The key is the token's own, so that no key of another leads to another's work.
  expect(by).toEqual({
    actor: 'user:helper',
    idempotencyKey: expect.stringMatching(/^agent-[0-9a-f]{64}$/),
    callers: [],
  });
});

it('a token gives no work to a thread that a person lets work unasked, not even to its own (CWE-863)', async () => {
  await using stage = await openAgentStage();
  stage.server.host.unasked.add(ThreadId.parse(stage.thread));
  const content = [{ type: 'text', text: 'Do it' }];
  const calls: [string, object?][] = [
    ['/dispatches', { text: 'Do it', thread: stage.thread }],
    [`/threads/${stage.thread}/items`, { content }],
    [`/dispatches/${stage.idFor('/dispatches/{id}/retry')}/retry`],
  ];
  for (const [path, body] of calls)
    expect(problemOf(await stage.call('post', path, body))).toEqual(refusal(403, 'forbidden'));
  expect(stage.server.host.asked.filter(([name]) => name !== 'dispatches')).toEqual([]);
  stage.server.host.unasked.clear();
  expect((await stage.call('post', `/threads/${stage.thread}/items`, { content })).status).toBe(201);
});

it('a message of an agent waits in the queue, so that it cannot answer what is being asked', async () => {
  await using stage = await openAgentStage();
  const content = [{ type: 'text', text: 'yes' }];
  expect((await stage.call('post', `/threads/${stage.thread}/items`, { content })).status).toBe(201);
  expect(stage.server.host.asked.at(-1)).toEqual([
    'post',
    stage.thread,
    { content, metadata: { queue: true } },
    'user:helper',
    { onSuccess: 'keep' },
  ]);
});

/** Parameters that an operation does not work without. */
const needed: Readonly<Record<string, string>> = { getChangedFileLines: '?path=a.txt' };

const about = operations.filter(
  ({ id, path }) => typeof decisions[id] === 'object' && (path.includes('{id}') || id.startsWith('list')),
);

it.each(about)('what somebody else made does not exist: $method $path', async ({ id, method, path }) => {
  await using stage = await openAgentStage();
  const { host } = stage.server;
  const foreign = host.addThread();
  const dispatch = host.addDispatch(foreign.id);
  const prompt = host.addPrompt(foreign.id);
  // Its first work is somebody else's; what the token did later does not make it the token's.
  host.addDispatch(foreign.id, { actor: 'user:helper' });
  const body = samples[id];
  const ids = { dispatches: dispatch.id, threads: foreign.id, prompts: prompt.id };
  const [, noun = ''] = path.split('/');
  const name = isNoun(noun) ? ids[noun] : '';
  const place = path.includes('{id}') ? path.replace('{id}', name) : `${path}?thread=${foreign.id}`;
  host.asked.length = 0;
  expect(problemOf(await stage.call(method, place, body))).toEqual(refusal(404, 'not_found'));
  expect(host.asked.filter(([asked]) => asked !== 'dispatches')).toEqual([]);

  const isOwn = path.includes('{id}')
    ? `${path.replace('{id}', stage.idFor(path))}${needed[id] ?? ''}`
    : `${path}?thread=${stage.thread}`;
  expect((await stage.call(method, isOwn, body)).status).toBeLessThan(300);
});

it('work for a thread of somebody else is refused as if the thread did not exist', async () => {
  await using stage = await openAgentStage();
  const foreign = stage.server.host.addThread();
  const reply = await stage.call('post', '/dispatches', { text: 'Do it', thread: foreign.id });
  expect(problemOf(reply)).toEqual(refusal(404, 'not_found'));
  const mine = await stage.call('post', '/dispatches', { text: 'Do it', thread: stage.thread });
  expect(mine.status).toBe(201);
});

it('a new token of an old name has nothing of the old one', async () => {
  await using stage = await openAgentStage();
  const { server } = stage;
  server.tokens().remove('helper');
  server.clock.ms += 1000;
  const token = server.tokens().add('helper', { scope: 'agent', workspace: stage.workspace });
  const headers = { authorization: `Bearer ${token}` };
  const reply = await server.call('GET', `/threads/${stage.thread}`, { headers });
  expect(problemOf(reply)).toEqual(refusal(404, 'not_found'));
});

const samples: Readonly<Record<string, unknown>> = {
  postItem: { content: [{ type: 'text', text: 'Hello' }] },
  setModel: { model: 'small' },
};

function isNoun(noun: string): noun is 'dispatches' | 'threads' | 'prompts' {
  return ['dispatches', 'threads', 'prompts'].includes(noun);
}

function isIn(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`);
}

function nested(names: readonly string[]): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'x');
}

/** A server, and a token of scope agent that has made a thread with work and a question. */
async function openAgentStage() {
  const server: TestServer = await openTestServer({ isAgent: () => true });
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-agent-')));
  const token = server.tokens().add('helper', { scope: 'agent', workspace });
  const { id: thread } = server.host.addThread();
  const dispatch = server.host.addDispatch(thread, { actor: 'user:helper' });
  const prompt = server.host.addPrompt(thread);
  server.host.toolOutputs.set('{toolUseId}', 'It is done.');
  return {
    server,
    workspace,
    thread,
    idFor: (path: string) =>
      path.startsWith('/dispatches') ? dispatch.id : path.startsWith('/prompts') ? prompt.id : thread,
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      server.call(method.toUpperCase(), path, {
        body,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(workspace, { recursive: true });
    },
  };
}
