import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FollowedEvent } from '../../src/client/thread-event.js';
import { Timeline, type TimelineEntry } from '../../src/live/timeline.js';
import { PromptId } from '../../src/protocol/id.js';
import { rowsOf } from '../../src/web/thread/rows.js';

const timestamp = '2026-01-02T03:04:05.000Z';
const none = new Set<number>();

function events(...bodies: readonly object[]): FollowedEvent[] {
  return bodies.map((body, index) => ({ type: '', ...body, seq: index + 1, timestamp }));
}
const start = (id: string, parentToolUseId?: string) => ({
  type: 'tool_start',
  id,
  tool: 'Bash',
  params: { command: id },
  ...(parentToolUseId === undefined ? {} : { parentToolUseId }),
});
const end = (id: string) => ({
  type: 'tool_end',
  id,
  tool: 'Bash',
  success: true,
  summary: 'ok',
  duration: 1,
});
const note = (message: string) => ({ type: 'notice', message });

type Step = { readonly open: string } | { readonly close: string } | { readonly say: string };

function bodyOf(step: Step): object {
  if ('open' in step) return start(step.open);
  return 'close' in step ? end(step.close) : note(step.say);
}

/** A thread whose end was read first, then the rest in parts. */
function readBackwards(all: readonly FollowedEvent[], cuts: readonly number[]): Timeline {
  const timeline = new Timeline();
  const places = [...new Set([0, ...cuts, all.length])].toSorted((a, b) => a - b);
  const parts = places.slice(0, -1).map((from, index) => all.slice(from, places[index + 1]));
  for (const event of parts.pop() ?? []) timeline.append(event);
  for (const part of parts.toReversed()) timeline.prepend(part);
  return timeline;
}

it('a result whose call is older is joined to it once that is read', () => {
  const all = events(start('a'), note('between'), end('a'), note('after'));
  const timeline = readBackwards(all, []);
  const parts = readBackwards(all, [2]);
  expect(parts.entries).toEqual(timeline.entries);
  expect(parts.entries.map(({ type }) => type)).toEqual(['tool_call', 'notice', 'notice']);
});

it('however a thread is cut, it reads the same', () => {
  const bodies = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'b', 'c').map((id) => ({ open: id })),
      fc.constantFrom('a', 'b', 'c').map((id) => ({ close: id })),
      fc.constant({ say: 'x' }),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(30), { maxLength: 4 }), (steps, cuts) => {
      // A call begins once and ends at most once, as in a real thread.
      const begun = new Set<string>();
      const ended = new Set<string>();
      const possible = steps.filter((step) => {
        if ('open' in step) return !begun.has(step.open) && begun.add(step.open);
        if ('close' in step) return begun.has(step.close) && !ended.has(step.close) && ended.add(step.close);
        return true;
      });
      const all = events(...possible.map(bodyOf));
      const inside = cuts.filter((cut) => cut < all.length);
      expect(readBackwards(all, inside).entries).toEqual(readBackwards(all, []).entries);
    }),
  );
});

it('calls of a sub-agent stand under the call that started it, and fold with it', () => {
  const all = events(
    start('outer'),
    start('inner', 'outer'),
    note('x'),
    end('inner'),
    end('outer'),
    start('later'),
  );
  const { entries } = readBackwards(all, []);
  const shape = (folded: ReadonlySet<number>) =>
    rowsOf(entries, folded).map(({ entry, depth, inside }) => `${'  '.repeat(depth)}${entry.seq} ${inside}`);
  expect(shape(none)).toEqual(['1 1', '  2 0', '3 0', '6 0']);
  expect(shape(new Set([1]))).toEqual(['1 1', '3 0', '6 0']);
});

it('calls that name each other or themselves as parents are shown all the same', () => {
  const { entries } = readBackwards(
    events(start('a', 'b'), start('b', 'a'), start('c', 'c'), start('d', 'gone')),
    [],
  );
  expect(rowsOf(entries, none).map(({ entry, depth }) => [entry.seq, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 0],
  ]);
});

const call = (seq: number, tool: string, success?: boolean): TimelineEntry => ({
  type: 'tool_call',
  seq,
  timestamp: '2026-01-01T00:00:00.000Z',
  id: `itm_${seq}`,
  toolUseId: `t${seq}`,
  tool,
  params: {},
  ...(success === undefined ? {} : { result: { success, summary: '', durationMs: 1 } }),
});

it('a tool that only asks has no row of its own, unless it failed before it could ask', () => {
  const asked: TimelineEntry = {
    type: 'prompt',
    id: 'itm_3',
    seq: 3,
    timestamp: '2026-01-01T00:00:00.000Z',
    content: [{ type: 'text', text: 'Which?' }],
    metadata: {
      type: 'pending_prompt',
      prompt: {
        prompt_id: PromptId.parse('prm_01k00000000000000000000000'),
        kind: 'text',
        prompt_state: 'pending',
        questions: [],
      },
    },
  };
  const entries = [
    call(1, 'Bash', true),
    call(2, 'AskUserQuestion', false),
    asked,
    call(4, 'ExitPlanMode', true),
    call(5, 'AskUserQuestion', false),
    call(6, 'AskUserQuestion'),
  ];
  expect(rowsOf(entries, none).map(({ entry }) => entry.seq)).toEqual([1, 3, 5]);
});
