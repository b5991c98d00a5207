import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeOf, timedOutEnding } from '../../../src/domain/dispatch/outcome.js';
import { pendingItem, resolvedItem } from '../../../src/domain/prompts/prompt-item.js';
import { contentOf } from '../../../src/domain/thread/item-text.js';
import { ItemFold } from '../../../src/domain/thread/thread-items.js';
import { eventDefinitions } from '../../../src/protocol/event.js';
import { DispatchId, PromptId, RunId, ThreadId } from '../../../src/protocol/id.js';
import { keysOf } from '../../../src/protocol/keys.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { threadEventDefinitions } from '../../../src/protocol/thread-event.js';
import { ThreadItem } from '../../../src/protocol/thread-item.js';

const timestamp = '2026-01-01T00:00:00.000Z';
const zeros = '0'.repeat(26);
const dispatchId = DispatchId.parse(`dsp_${zeros}`);
const promptId = PromptId.parse(`prm_${zeros}`);
const run = RunId.parse(`run_${zeros}`);

/** The items of these events, numbered from one. */
function fold(...events: Record<string, unknown>[]): readonly ThreadItem[] {
  const items = new ItemFold();
  for (const [index, event] of events.entries()) items.add({ seq: index + 1, timestamp, ...event });
  return items.items;
}

const text = (content: string) => ({ type: 'assistant_text', content });
const start = (id: string, more = {}) => ({
  type: 'tool_start',
  id,
  tool: 'Bash',
  params: { command: id },
  ...more,
});
const end = (id: string, more = {}) => ({
  type: 'tool_end',
  id,
  tool: 'Bash',
  success: true,
  summary: `${id} ran`,
  duration: 12,
  ...more,
});
const call = (seq: number, id: string, more = {}) => ({
  type: 'tool_call',
  id: `itm_${seq}`,
  seq,
  timestamp,
  toolUseId: id,
  tool: 'Bash',
  params: { command: id },
  ...more,
});
const parked = (how: string) => ({ type: 'parked', requestId: 'req_a', toolUseId: 'a', how });
const failed = (summary: string) => ({ result: { success: false, summary, durationMs: 0 } });
const ran = (id: string) => ({ result: { success: true, summary: `${id} ran`, durationMs: 12 } });

describe('text', () => {
  test('comes in pieces and is one item', () => {
    const evidence = {
      type: 'status_evidence',
      fact: 'turn_started',
      source: 's',
      confidence: 'strong',
      at: timestamp,
    };
    expect(fold(text('One.\n\n'), evidence, text('Two.\n\n'), text('Three.'))).toEqual([
      {
        type: 'assistant_text',
        id: 'itm_1',
        seq: 1,
        timestamp,
        content: contentOf('One.\n\nTwo.\n\nThree.'),
      },
    ]);
  });

  test('is parted by what a person sees between, and by the end of a turn', () => {
    expect(
      fold(text('a'), start('t'), text('b'), end('t'), text('c'), { type: 'result' }, text('d')),
    ).toEqual([
      { type: 'assistant_text', id: 'itm_1', seq: 1, timestamp, content: contentOf('a') },
      call(2, 't', ran('t')),
      { type: 'assistant_text', id: 'itm_3', seq: 3, timestamp, content: contentOf('bc') },
      { type: 'assistant_text', id: 'itm_7', seq: 7, timestamp, content: contentOf('d') },
    ]);
  });

  test('changes by replacement', () => {
    const items = new ItemFold();
    items.add({ seq: 1, timestamp, ...text('a') });
    const before = items.items[0];
    items.add({ seq: 2, timestamp, ...text('b') });
    expect(before).toEqual({
      type: 'assistant_text',
      id: 'itm_1',
      seq: 1,
      timestamp,
      content: contentOf('a'),
    });
    expect(items.items[0]).toEqual({
      type: 'assistant_text',
      id: 'itm_1',
      seq: 1,
      timestamp,
      content: contentOf('ab'),
    });
  });
});

describe('tools', () => {
  test('get their results, in whatever order they end', () => {
    expect(fold(start('a'), start('b'), end('b'), end('a'))).toEqual([
      call(1, 'a', ran('a')),
      call(2, 'b', ran('b')),
    ]);
  });

  test('that ran with another input say what was proposed and what ran', () => {
    const ranWith = { command: 'other' };
    expect(fold(start('a'), end('a', { ranWith }))).toEqual([call(1, 'a', { ...ran('a'), ranWith })]);
  });

  test('of sub-agents say whose they are', () => {
    const agent = { agentId: 'agent-1', parentToolUseId: 'task' };
    expect(fold(start('a', agent))).toEqual([call(1, 'a', agent)]);
  });

  test('that began before the part that is read have no input', () => {
    expect(fold(end('a', { agentId: 'agent-1' }))).toEqual([
      {
        type: 'tool_call',
        id: 'itm_1',
        seq: 1,
        timestamp,
        toolUseId: 'a',
        tool: 'Bash',
        agentId: 'agent-1',
        ...ran('a'),
      },
    ]);
  });

  describe('that a person is asked about', () => {
    const request = { type: 'permission_request', requestId: 'req_a', toolUseId: 'a' };
    const asks = { ...request, tool: 'Bash', input: { command: 'a' } };
    const exit = { exitCode: 1, signal: null, oom: false };
    const runEnded = { type: 'run_ended', run, exit, reason: 'to sleep until the answer comes' };
    const runStarted = { type: 'run_started', run, resumes: true };
    const calls = (...events: Record<string, unknown>[]) =>
      fold(start('a'), asks, ...events).filter(({ type }) => type === 'tool_call');

    test('wait until the answer is there', () => {
      expect(calls()).toEqual([call(1, 'a', { isAsked: true })]);
      expect(calls({ type: 'answer_delivered', commandId: 'c', requestId: 'req_a' })).toEqual([call(1, 'a')]);
      expect(calls({ type: 'request_withdrawn', requestId: 'req_a', reason: 'x' })).toEqual([call(1, 'a')]);
      expect(calls(end('a'))).toEqual([call(1, 'a', ran('a'))]);
    });

    test.each(['deferred', 'interrupted'])('wait also while their agent sleeps (%s)', (how) => {
      expect(calls(parked(how), runEnded)).toEqual([call(1, 'a', { isAsked: true })]);
    });

    test('end as what they came to, once the agent is awake', () => {
      expect(calls(parked('deferred'), runEnded, runStarted, end('a'))).toEqual([call(1, 'a', ran('a'))]);
      expect(calls(parked('deferred'), runEnded, runStarted, runEnded)).toEqual([
        call(1, 'a', failed('The run ended before the tool did.')),
      ]);
      expect(calls(parked('interrupted'), runEnded, runStarted)).toEqual([
        call(1, 'a', failed('The agent slept until the answer came, and then asked anew.')),
      ]);
    });

    test('end with their run where nobody put the agent to sleep, and with their work', () => {
      const cut = [call(1, 'a', failed('The run ended before the tool did.'))];
      expect(calls(runEnded)).toEqual(cut);
      expect(calls(parked('deferred'), runEnded, { type: 'dispatch_ended' })).toEqual(cut);
    });
  });

  test('end with their run at the latest', () => {
    const exit = { exitCode: null, signal: 'SIGKILL', oom: false };
    const cutOff = {
      result: { success: false, summary: 'The run ended before the tool did.', durationMs: 0 },
    };
    expect(fold(start('a'), start('b'), end('a'), { type: 'run_ended', run, exit })).toEqual([
      call(1, 'a', ran('a')),
      call(2, 'b', cutOff),
      {
        type: 'run',
        id: 'itm_4',
        seq: 4,
        timestamp,
        runId: run,
        what: 'ended',
        content: contentOf("The agent's process ended by SIGKILL."),
      },
    ]);
  });
});

describe('one event, one item', () => {
  const prompt: Prompt = {
    id: promptId,
    threadId: ThreadId.parse(`thr_${zeros}`),
    kind: 'text',
    state: 'pending',
    active: true,
    questions: [{ question: 'Name?', multiSelect: false, options: [] }],
    fingerprint: 'f',
    onUnanswered: 'wait',
    createdAt: timestamp,
  };
  const settled: Prompt = { ...prompt, state: 'cancelled', reason: 'timeout' };
  const outcome = outcomeOf(timedOutEnding);
  const exit = { exitCode: 0, signal: null, oom: false };
  const uuid = '00000000-0000-4000-8000-000000000000';
  const attachments = [
    { type: 'file', path: 'notes.md', content: '' },
    { type: 'image', mediaType: 'image/png', data: '', name: 'shot' },
    { type: 'image', mediaType: 'image/png', data: '' },
  ];

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [
      { type: 'user_message', uuid, text: 'Go.', actor: 'user:owner', dispatchId, attachments },
      {
        type: 'user_text',
        content: contentOf('Go.'),
        actor: 'user:owner',
        dispatchId,
        attachments: ['notes.md', 'shot', 'image/png'],
      },
    ],
    [
      { type: 'user_message', uuid, text: 'Go.', actor: 'user:owner' },
      { type: 'user_text', content: contentOf('Go.'), actor: 'user:owner' },
    ],
    [
      { type: 'thinking', content: 'Hm.' },
      { type: 'thinking', content: contentOf('Hm.') },
    ],
    [
      { type: 'prompt_asked', promptId, item: pendingItem(prompt) },
      { type: 'prompt', ...pendingItem(prompt) },
    ],
    [
      { type: 'prompt_settled', promptId, item: resolvedItem(settled) },
      { type: 'prompt_audit', ...resolvedItem(settled) },
    ],
    [
      { type: 'attempt_ended', dispatchId, attempt: 1, outcome, retryAt: timestamp },
      { type: 'outcome', dispatchId, outcome, retryAt: timestamp, isLast: false },
    ],
    [
      { type: 'dispatch_ended', dispatchId, outcome },
      { type: 'outcome', dispatchId, outcome, isLast: true },
    ],
    [
      { type: 'run_started', run, resumes: false },
      { type: 'run', runId: run, what: 'started', content: contentOf('The agent was started.') },
    ],
    [
      { type: 'run_started', run, resumes: true },
      {
        type: 'run',
        runId: run,
        what: 'started',
        content: contentOf('The agent was started again and goes on with its session.'),
      },
    ],
    [
      { type: 'run_ended', run, exit },
      {
        type: 'run',
        runId: run,
        what: 'ended',
        content: contentOf("The agent's process ended with exit code 0."),
      },
    ],
    [
      { type: 'run_ended', run, exit, reason: 'idle' },
      { type: 'run', runId: run, what: 'ended', content: contentOf('The agent was stopped: idle.') },
    ],
    [
      { type: 'notice', message: 'Fresh start.' },
      { type: 'notice', level: 'info', content: contentOf('Fresh start.') },
    ],
    [
      { type: 'warning', message: 'Careful.' },
      { type: 'notice', level: 'warning', content: contentOf('Careful.') },
    ],
    [
      { type: 'error', message: 'Broken.' },
      { type: 'notice', level: 'error', content: contentOf('Broken.') },
    ],
    [
      { type: 'auth_error', message: 'Sign in.' },
      { type: 'notice', level: 'error', content: contentOf('Sign in.') },
    ],
    [
      { type: 'interrupted' },
      { type: 'notice', level: 'info', content: contentOf('The turn was interrupted.') },
    ],
    [
      { type: 'agent_notification', title: 'Claude', message: 'Waiting.', notificationType: 'idle' },
      { type: 'notice', level: 'info', content: contentOf('Claude: Waiting.') },
    ],
    [
      { type: 'agent_notification', title: '', message: 'Waiting.', notificationType: 'idle' },
      { type: 'notice', level: 'info', content: contentOf('Waiting.') },
    ],
  ])('%j', (event, item) => {
    expect(fold(event)).toEqual([{ id: 'itm_1', seq: 1, timestamp, ...item }]);
  });
});

describe('what is no item', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an unknown event', { type: 'from_the_future', message: 'x' }],
    ['a malformed event', { type: 'error', message: 5 }],
    ['an event without a place', { ...text('a'), seq: null }],
    ['an event without a time', { ...text('a'), timestamp: 'yesterday' }],
    ['an event without a type', { content: 'a' }],
    ['a name of every object', { type: 'constructor' }],
    ['an event that nobody reads', { type: 'context_window_size', contextWindow: 5 }],
  ])('%s', (_, event) => {
    expect(fold(event)).toEqual([]);
  });

  test('an event that was taken already', () => {
    expect(fold(text('a'), { ...text('a'), seq: 1 })).toEqual([
      { type: 'assistant_text', id: 'itm_1', seq: 1, timestamp, content: contentOf('a') },
    ]);
  });
});

test('whatever comes, items are well formed and in order', () => {
  const field = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue());
  const names = [
    'id',
    'tool',
    'params',
    'content',
    'message',
    'title',
    'success',
    'summary',
    'duration',
    'run',
    'exit',
  ];
  const event = fc
    .tuple(
      fc.constantFrom(...keysOf(eventDefinitions), ...keysOf(threadEventDefinitions)),
      fc.dictionary(fc.constantFrom(...names), field),
      fc.constantFrom({}, text('x'), start('t'), end('t')),
    )
    .map(([type, fields, sample]) => ({ type, ...fields, ...sample }));
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const items = fold(...events);
      for (const item of items) expect(ThreadItem.parse(item)).toEqual(item);
      expect(items.map(({ seq }) => seq)).toEqual(items.map(({ seq }) => seq).toSorted((a, b) => a - b));
    }),
  );
});
