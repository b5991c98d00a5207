// @module-tag full
// CWE-770: no page of any list is larger than a page may be, whatever lies in the store; and pages together miss nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ComposedHost, composeHost } from '../../dist/compose.js';
import type { Host } from '../../src/host/host.js';
import type { PromptId, ScheduleId, ThreadId } from '../../src/protocol/id.js';
import { largestPageBytes } from '../../src/store/page.js';
import type { Store } from '../../src/store/store.js';
import { newPipeline } from '../contract/store/pipelines.js';
import {
  aDispatch,
  aPrompt,
  aRun,
  aThread,
  at,
  done,
  idle,
  newEvent,
  succeeded,
} from '../contract/store/records.js';
import { newRule } from '../contract/store/rules.js';
import { newSchedule } from '../contract/store/schedules.js';
import { openTestServer } from './test-server.js';

// Two fit into a page, three do not.
const large = 'x'.repeat(900_000);
const rows = 5;

let folder: string;
let composed: ComposedHost;
let server: Awaited<ReturnType<typeof openTestServer>>;
let thread: ThreadId;
let like: PromptId;
let granted: PromptId;
let schedule: ScheduleId;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-lists-'));
  composed = await composeHost({
    home: join(folder, 'home'),
    settings: { slots: 1, retries: 0, idleTimeoutMinutes: 15, keepSpare: false },
    env: { PATH: process.env['PATH'] ?? '' },
    log: () => {},
  });
  // The host is the built one, whose store has a thread of its own.
  const { store, host } = composed as unknown as { readonly store: Store; readonly host: Host };
  server = await openTestServer({ host });
  const action = { tool: 'Write', input: { content: large }, digest: 'd' };
  thread = (await aThread(store)).id;
  const run = await aRun(store, thread);
  for (let made = 1; made <= rows; made += 1) {
    await aThread(store, { title: large, status: { ...idle, why: large } });
    await aDispatch(store, thread, {
      text: large,
      state: 'ended',
      outcome: succeeded,
      endedAt: at(8),
    } as never);
    const prompt = await aPrompt(store, thread, { kind: 'approval', action });
    like = (
      await aPrompt(store, thread, {
        kind: 'text',
        questions: [{ question: large, multiSelect: false, options: [] }],
      })
    ).id;
    await done(store, [
      { do: 'appendEvents', threadId: thread, runId: run.id, events: [noticed(made)] },
      { do: 'appendStatus', threadId: thread, report: { ...idle, why: large }, at: at(made) },
    ]);
    await host.prompts.answer(prompt.id, { decision: { approved: true, scope: 'thread' } }, 'user:owner');
    granted = prompt.id;
  }
  for (let made = 1; made <= rows; made += 1) {
    const one = newSchedule({ state: 'paused', work: { text: large, workspace: { path: '/workspace' } } });
    await done(store, [{ do: 'insertSchedule', schedule: one }]);
    schedule = one.id;
  }
  for (let made = 1; made <= rows; made += 1) {
    const pipeline = newPipeline(thread, { state: 'ended', name: large });
    await done(store, [{ do: 'insertPipeline', pipeline }]);
    await done(store, [{ do: 'insertRule', rule: newRule({ words: large }) }]);
  }
  for (let made = 1; made <= 20; made += 1) {
    const run = {
      id: `run-${made}`,
      scheduleId: schedule,
      tickAt: at(made),
      at: at(made),
      result: 'failed',
      actor: 'schedule:s',
      reason: 'x'.repeat(200_000),
    } as const;
    await done(store, [{ do: 'addScheduleRun', run }]);
  }
  for (let made = 0; made < 300; made += 1)
    await host.comments.add(
      thread,
      { file: 'a.ts', line: 1, side: 'new', body: 'x'.repeat(10_000) },
      'user:owner',
    );
  // Of small rows there are so many.
  for (let made = 0; made < 1200; made += 1)
    await done(store, [
      {
        do: 'addUsage',
        threadId: thread,
        runtime: 'claude',
        at: new Date(Date.UTC(1990, 0, 1 + made)).toISOString(),
        usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
      } as never,
    ]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await composed[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface ListCall {
  readonly path: () => string;
  readonly method?: string;
  readonly body?: object;
  /** How many rows all pages have together; one that is too few is lost. */
  readonly atLeast?: number;
  /** Whether there is no next page: the rest is told by a number. */
  readonly isOnePage?: true;
}

/** Every operation that answers with a list: how it is called, or why it needs no page. */
const lists: Readonly<Record<string, ListCall | string>> = {
  listThreads: { path: () => '/threads', atLeast: rows },
  listDispatches: { path: () => '/dispatches', atLeast: rows },
  listPrompts: { path: () => '/prompts', atLeast: 2 * rows },
  listItems: { path: () => `/threads/${thread}/items`, atLeast: rows },
  listEvents: { path: () => `/threads/${thread}/events`, atLeast: rows },
  getStatusLog: { path: () => `/threads/${thread}/status-log`, atLeast: rows },
  listGrants: { path: () => `/threads/${thread}/grants`, atLeast: rows },
  listStatuses: { path: () => '/status', atLeast: rows },
  getUsage: { path: () => '/usage?by=day', atLeast: 1200 },
  listWorkers: { path: () => '/workers', atLeast: 1 },
  withdrawGrant: { path: () => `/threads/${thread}/grants/${granted}`, method: 'DELETE', isOnePage: true },
  answerLikePrompts: {
    path: () => `/prompts/${like}/answer-like`,
    method: 'POST',
    body: { text: 'yes' },
    isOnePage: true,
  },
  listRuntimes: 'the runtimes that a version knows are a handful',
  inspectProjectCode: 'the files of a project are read up to 1 MiB',
  approveProjectCode: 'the files of a project are read up to 1 MiB',
  getDiff: 'what git prints is read up to 8 MiB',
  getChanges: 'what git prints is read up to 8 MiB',
  getChangedFileLines: 'at most 2,000 lines and 256 KiB',
  listLandings: 'the last twenty',
  listSessions: 'at most 200, each with the beginning of its title',
  listObserved: 'at most 300, each of bounded length',
  listAgentModels: 'at most 500, each of bounded length',
  listAgentCommands: 'at most 500, each of bounded length',
  listAgentServers: 'at most 500, each of bounded length',
  pruneThreads: 'at most 5500 threads, each with the beginning of its title',
  listSchedules: { path: () => '/schedules', atLeast: rows },
  listScheduleRuns: { path: () => `/schedules/${schedule}/runs`, atLeast: 20 },
  runSchedule: 'one dispatch',
  listRules: { path: () => '/rules', atLeast: rows },
  getPush: 'at most 50 devices, each of bounded length',
  createRule: 'one rule, made from at most twenty answers',
  getIdentity: 'who comes, with at most six scopes',
  getConsoleSettings: 'the settings of the console, with the scopes of who looks',
  getRule: 'one rule',
  switchRuleOn: 'one rule',
  withdrawRule: 'one rule',
  listPrecedents: 'at most five, each with lines of bounded length',
  listPipelines: { path: () => '/pipelines', atLeast: rows },
  runPipeline: 'one run with at most 256 phases, each with outputs of at most 32,000 characters',
  getPipeline: 'one run',
  cancelPipeline: 'one run',
  listComments: { path: () => `/threads/${thread}/comments`, atLeast: 300 },
  sendComments: 'ids of comments, of which a thread has at most 500',
  mergeThread: 'one landing',
  applyThread: 'one landing',
  openPullRequest: 'one landing',
  pushThread: 'one landing',
  watchPullRequest: 'one landing',
  unwatchPullRequest: 'one landing',
  discardThread: 'one landing',
  drainWorker: 'one worker',
  submitDispatch: 'one dispatch; its tries are bounded by its retries',
  getDispatch: 'one dispatch',
  editDispatch: 'one dispatch',
  cancelDispatch: 'one dispatch',
  retryDispatch: 'one dispatch',
  getPrompt: 'one prompt; what is asked is bounded where it is asked',
  answerPrompt: 'one prompt',
  undoAnswer: 'one prompt',
  cancelPrompt: 'one prompt',
};

const operations = listOperations();
const Next = z.union([z.string(), z.number()]).optional();

test('somebody has decided about every operation that answers with a list', () => {
  expect(Object.keys(lists).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

describe.each(
  Object.entries(lists).flatMap(([id, call]) => (typeof call === 'string' ? [] : [[id, call] as const])),
)('%s', (id, { path, method = 'GET', body, atLeast = 0, isOnePage }) => {
  const field = operations.find((each) => each.id === id)?.field ?? '';

  test('answers with pages that are not too large, and with all of it', async () => {
    const sizes: number[] = [];
    let found = 0;
    let next: string | number | undefined;
    do {
      const continued =
        next === undefined
          ? ''
          : `${id === 'listItems' || id === 'listEvents' ? 'after' : 'cursor'}=${encodeURIComponent(next)}`;
      const join = path().includes('?') ? '&' : '?';
      const reply = await server.call(
        method,
        `${path()}${continued && join}${continued}`,
        body ? { body } : {},
      );
      expect(reply.status).toBe(200);
      const page = z.looseObject({ [field]: z.array(z.unknown()), next: Next }).parse(reply.body);
      const of = z.array(z.unknown()).parse(page[field]);
      sizes.push(Buffer.byteLength(JSON.stringify(reply.body)));
      found += of.length;
      next = isOnePage ? undefined : Next.parse(page.next);
    } while (next !== undefined);
    // The names of the fields, and of a page the beginning.
    for (const size of sizes) expect(size).toBeLessThan(largestPageBytes + 100_000);
    expect(found).toBeGreaterThanOrEqual(atLeast);
    if (atLeast >= rows) expect(sizes.length).toBeGreaterThan(1);
  });
});

/** An event that is an item of its own. */
function noticed(runSeq: number) {
  const event = { ...newEvent(runSeq), type: 'notice' };
  const { timestamp } = event;
  return { ...event, json: JSON.stringify({ type: 'notice', message: large, timestamp, runSeq }) };
}

/** The operations of the OpenAPI document whose answer has a list in it. */
function listOperations(): { readonly id: string; readonly field: string }[] {
  const Schema = z.looseObject({
    $ref: z.string().optional(),
    type: z.unknown().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  });
  const document = z
    .looseObject({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.looseObject({
            operationId: z.string(),
            responses: z.record(
              z.string(),
              z.looseObject({
                content: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional(),
              }),
            ),
          }),
        ),
      ),
      components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
    })
    .parse(JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')));
  const resolved = (given: unknown): z.infer<typeof Schema> => {
    const schema = Schema.parse(given);
    return schema.$ref === undefined
      ? schema
      : resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  };
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) => {
      const shape =
        responses['200']?.content?.['application/json']?.schema ??
        responses['201']?.content?.['application/json']?.schema;
      if (shape === undefined) return [];
      const field = Object.entries(resolved(shape).properties ?? {}).find(
        ([, each]) => resolved(each).type === 'array',
      );
      return field ? [{ id: operationId, field: field[0] }] : [];
    }),
  );
}
