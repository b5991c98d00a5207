import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTelemetry } from '../../../src/host/telemetry/open-telemetry.js';
import type { Store } from '../../../src/store/store.js';
import type { NewEvent } from '../../../src/store/stored-event.js';
import type { StorePlace } from '../../contract/store/place.js';
import { aDispatch, aRun, aThread, done, newPrompt, succeeded } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';
import { sqlitePlace } from '../../store/sqlite/place.js';
import { openCollector } from './collector.js';

let place: StorePlace;
let store: Store;
let collector: Awaited<ReturnType<typeof openCollector>>;
const began = Date.now();
const time = (seconds: number) => new Date(began + seconds * 1000).toISOString();

beforeAll(async () => {
  place = await sqlitePlace();
  store = await place.open();
  collector = await openCollector();
});
afterAll(async () => {
  await store.close();
  await place.remove();
  await collector[Symbol.asyncDispose]();
});

const open = async (env: Record<string, string> = {}, telemetryTexts = false) => {
  const telemetry = await openTelemetry({
    store,
    settings: { telemetryTexts },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
    version: '1.2.3',
    clock: { now: Date.now },
    log: () => {},
  });
  if (!telemetry) throw new Error('telemetry is off');
  return telemetry;
};

function event(
  seconds: number,
  body: { readonly type: string } & Record<string, unknown>,
  runSeq?: number,
): NewEvent {
  const timestamp = time(seconds);
  const json = JSON.stringify({ ...body, timestamp, runSeq });
  return { type: body.type, timestamp, json, ...(runSeq !== undefined && { runSeq }) };
}

/** Work that asks, is answered, and ends in its second try; what happens to the worker between the tries is the caller's. */
async function work(between: () => Promise<void>) {
  const thread = await aThread(store);
  const dispatch = await aDispatch(store, thread.id, { createdAt: time(0) });
  const run = await aRun(store, thread.id);
  const { id } = dispatch;
  const [claimed] = await done(store, [{ do: 'claimDispatches', limit: 1, now: time(1), until: time(100) }]);
  const lease = { dispatchId: id, epoch: claimed[0]?.lease?.epoch ?? 0 };
  const own = async (events: readonly NewEvent[]) =>
    await done(store, [{ do: 'appendEvents', threadId: thread.id, events }], { lease });
  await done(store, [
    { do: 'startAttempt', dispatchId: id, at: time(1) },
    { do: 'addAttemptRun', dispatchId: id, attempt: 1, runId: run.id },
  ]);
  await own([
    event(1, { type: 'dispatch_started', dispatchId: id, attempt: 1 }),
    event(1, {
      type: 'user_message',
      uuid: 'u',
      text: 'a secret request',
      actor: 'user:ada',
      dispatchId: id,
    }),
  ]);
  const shellCall = { type: 'tool_start', id: 'call-1', tool: 'Bash', params: { command: 'echo secret' } };
  await done(store, [
    {
      do: 'appendEvents',
      threadId: thread.id,
      runId: run.id,
      events: [
        event(1, { type: 'init', sessionId: 's', model: 'claude-test' }, 1),
        event(2, shellCall, 2),
        event(
          4,
          { type: 'tool_end', id: 'call-1', tool: 'Bash', success: false, summary: 'secret', duration: 9 },
          3,
        ),
        event(6, resultOf({ success: false, errorKind: 'overloaded' }), 4),
      ],
    },
  ]);
  // More work is given to the thread before the agent asks; it can begin much later only.
  await aDispatch(store, thread.id, { createdAt: time(2), notBefore: time(1_000_000) });
  const prompt = newPrompt(thread.id, { createdAt: time(3), runId: run.id });
  await done(store, [{ do: 'openPrompt', prompt }]);
  const answers = [{ question: 'Where?', answer: ['here'] }];
  const accepted = {
    actor: 'user:ada',
    at: time(5),
    answers,
    answer: { text: 'here' },
  } as const;
  await done(store, [
    { do: 'acceptAnswer', promptId: prompt.id, ...accepted },
    { do: 'markDelivered', promptId: prompt.id, at: time(5) },
  ]);
  const failed = { ...succeeded, result: 'failed', reason: 'overloaded', exitCode: 1 } as const;
  await done(store, [{ do: 'endAttempt', dispatchId: id, attempt: 1, at: time(7), outcome: failed }], {
    lease,
  });
  await between();
  await done(store, [{ do: 'startAttempt', dispatchId: id, at: time(8) }]);
  await own([event(8, { type: 'dispatch_started', dispatchId: id, attempt: 2 })]);
  await done(store, [
    {
      do: 'appendEvents',
      threadId: thread.id,
      runId: run.id,
      events: [event(9, resultOf({ success: true, durationMs: 500 }), 5)],
    },
  ]);
  await done(
    store,
    [
      { do: 'endAttempt', dispatchId: id, attempt: 2, at: time(10), outcome: succeeded },
      {
        do: 'patchDispatch',
        dispatchId: id,
        patch: { state: 'ended', outcome: succeeded, endedAt: time(10) },
      },
      { do: 'releaseLease', ...lease },
    ],
    { lease },
  );
  return { id, thread, prompt };
}

const resultOf = (given: Record<string, unknown>) => ({
  type: 'result',
  usage: { inputTokens: 11, outputTokens: 7 },
  cost: 0.25,
  text: 'a secret reply',
  ...given,
});

describe('traces', () => {
  it('tell of work, its tries, turns, tool calls and waits, under ids that a restart keeps, without what was said', async () => {
    let telemetry = await open({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'ours',
    });
    const { id, thread } = await work(async () => {
      // The worker restarts; what it told before is with the collector.
      await telemetry[Symbol.asyncDispose]();
      telemetry = await open();
    });
    await telemetry[Symbol.asyncDispose]();
    expect(collector.refusals).toEqual([]);
    const { requests } = collector;
    // What ended just before the restart is told once more, as the same.
    const spans = [...new Map(collector.spans.map((span) => [span.spanId, span])).values()];
    for (const span of collector.spans) expect(spans).toContainEqual(span);
    expect(collector.spans.length).toBeGreaterThan(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const parents = new Map(spans.map(({ spanId, name }) => [spanId, name]));
    const told = spans.map(({ name, parentSpanId = '', took, isError }) => [
      name,
      parents.get(parentSpanId) ?? null,
      took,
      isError,
    ]);
    expect(told).toEqual([
      ['attempt 1', 'dispatch', 6, true],
      ['execute_tool Bash', 'invoke_agent claude', 2, true],
      ['invoke_agent claude', 'attempt 1', 5, true],
      ['wait_for_person ask_user_question', 'dispatch', 2, false],
      ['attempt 2', 'dispatch', 2, false],
      ['invoke_agent claude', 'attempt 2', 0.5, false],
      ['dispatch', null, 10, false],
    ]);
    const wait = spans.find(({ name }) => name === 'wait_for_person ask_user_question');
    expect([parents.get(wait?.parentSpanId ?? ''), wait?.attributes['handraise.dispatch.id']]).toEqual([
      'dispatch',
      id,
    ]);
    expect(spans.find(({ name }) => name.startsWith('invoke_agent'))?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': thread.id,
      'gen_ai.agent.name': 'claude',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-test',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
      'handraise.dispatch.id': id,
      'handraise.cost_usd': 0.25,
      'error.type': 'overloaded',
    });
    expect(requests.map(({ body }) => body).join(' ')).not.toContain('secret');
    expect([requests[0]?.path, requests[0]?.headers.authorization]).toEqual(['/v1/traces', 'Bearer abc']);
    expect(JSON.parse(requests[0]?.body ?? '{}').resourceSpans[0].resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'ours' },
    });
    expect(telemetry.counts).toEqual({ sent: 6, dropped: 0 });
  });

  it('hold what was said where a setting allows it', async () => {
    const from = collector.spans.length;
    const telemetry = await open({}, true);
    await work(async () => {});
    await telemetry[Symbol.asyncDispose]();
    const [turn, tool] = ['invoke_agent claude', 'execute_tool Bash'].map((name) =>
      collector.spans.slice(from).find((span) => span.name === name),
    );
    expect(turn?.attributes['gen_ai.input.messages']).toBe(
      '[{"role":"user","parts":[{"type":"text","content":"a secret request"}]}]',
    );
    expect(tool?.attributes['gen_ai.tool.call.arguments']).toBe('{"command":"echo secret"}');
  });

  it('are sent again after an answer that passes, and count as dropped where the collector takes some only', {
    tags: ['full'],
  }, async () => {
    const telemetry = await open();
    collector.answers.push(
      { status: 503 },
      { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}' },
    );
    const from = collector.requests.length;
    await work(async () => {});
    await waitUntil(
      'all spans are sent or dropped',
      () => telemetry.counts.dropped >= 2 && collector.requests.length >= from + 2,
    );
    await telemetry[Symbol.asyncDispose]();
    expect(telemetry.counts.dropped).toBe(2);
    expect(collector.requests[from]?.body).toBe(collector.requests[from + 1]?.body);
  });

  it('never hold work up: a collector that is gone costs spans alone, which are counted', {
    tags: ['full'],
  }, async () => {
    const lines: string[] = [];
    const telemetry = await openTelemetry({
      store,
      settings: { telemetryEndpoint: 'http://127.0.0.1:9' },
      env: {},
      version: '1.2.3',
      clock: { now: Date.now },
      log: (line) => lines.push(line),
    });
    await work(async () => {});
    await waitUntil('the log says so', () => lines.length > 0);
    await telemetry?.[Symbol.asyncDispose]();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the collector of traces at http://127.0.0.1:9 takes none');
    expect(telemetry?.counts.sent).toBe(0);
    expect(telemetry?.counts.dropped).toBeGreaterThan(5);
  });
});
