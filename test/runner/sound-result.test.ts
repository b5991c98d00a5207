// Whatever an agent tells of itself, the end of its turn can be read by whoever waits for it.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody } from '../../src/protocol/event.js';
import { eventSchema } from '../../src/protocol/event.js';
import { TurnOutput } from '../../src/runner/turn-output.js';
import type { TurnEnded } from '../../src/runtimes/runtime.js';

const usual: TurnEnded['result'] = {
  success: true,
  subtype: 'success',
  cost: 0.5,
  turns: 1,
  usage: { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
  origin: 'message',
  text: 'Done.',
  messageUuid: 'uuid',
  durationMs: 12.5,
};

function collect(): { readonly output: TurnOutput; readonly events: EventBody[] } {
  const events: EventBody[] = [];
  const output = new TurnOutput({ emit: (event) => events.push(event), takesOutput: true });
  return { output, events };
}

function ended(result: Partial<TurnEnded['result']>, tool = 0): EventBody | undefined {
  const { output, events } = collect();
  output.begin();
  output.take({ type: 'tool_start', id: 't', tool: 'Bash', params: {} });
  output.take({ type: 'tool_end', id: 't', tool: 'Bash', success: true, summary: '', duration: tool });
  output.end({ type: 'turn_ended', sessionId: 's', interrupted: false, result: { ...usual, ...result } });
  return events.at(-1);
}

const whyUnreadable = (event: EventBody | undefined) =>
  eventSchema(event?.type ?? 'result').safeParse({ ...event, timestamp: '2026-01-01T00:00:00.000Z' }).error;

const figure = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 0.5),
);

test('the figures of an agent never make its result unreadable, and a sum of many of them can be stored', () => {
  fc.assert(
    fc.property(fc.array(figure, { minLength: 8, maxLength: 8 }), (figures) => {
      const [inputTokens = 0, outputTokens = 0, read = 0, made = 0, cost = 0, turns = 0, ms = 0, tool = 0] =
        figures;
      const usage = {
        inputTokens,
        outputTokens,
        cacheReadInputTokens: read,
        cacheCreationInputTokens: made,
      };
      const event = ended({ usage, cost, turns, durationMs: ms }, tool);
      expect(event).toMatchObject({ type: 'result', success: true, text: 'Done.' });
      expect(whyUnreadable(event)).toBeUndefined();
    }),
  );
  const most = ended({ cost: 1e308, usage: { ...usual.usage, inputTokens: 1e308 } as typeof usual.usage });
  expect(most).toMatchObject({ cost: 1e9, usage: { inputTokens: 1e12, outputTokens: 5 } });
});

test('usual figures are told as they are', () => {
  expect(ended({})).toMatchObject(usual);
});

test('a result that cannot be read becomes one that failed, and says why', () => {
  const nested = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`);
  expect(ended({ structuredOutput: nested })).toMatchObject({
    success: false,
    errors: ["The agent's result cannot be read: Its structured output is nested deeper than 500 levels."],
    messageUuid: 'uuid',
  });
  // An adapter from outside is JavaScript, and nobody has checked its types.
  const strange = ended({ usage: { inputTokens: 1 } } as never);
  expect(strange).toMatchObject({ success: true, usage: { inputTokens: 1, outputTokens: 0 } });
  const wrong = ended({ subtype: 7 } as never);
  expect(wrong).toMatchObject({ success: false, errorKind: 'other', origin: 'message' });
  expect([whyUnreadable(strange), whyUnreadable(wrong)]).toEqual([undefined, undefined]);
});

test('a text and the errors of a result have an end', () => {
  const event = ended({
    text: 'x'.repeat(2 ** 21),
    errors: Array.from({ length: 50 }, () => 'e'.repeat(9000)),
  });
  expect(event).toMatchObject({ text: 'x'.repeat(2 ** 20) });
  expect('errors' in (event ?? {}) && JSON.stringify(event).length).toBeLessThan(2 ** 20 + 100_000);
});

test('figures of a context that are none can be read too', () => {
  const { output, events } = collect();
  const context = { cacheReadInputTokens: Number.NaN, cacheCreationInputTokens: 0.4 };
  output.take({ type: 'context_usage', inputTokens: 1e308, outputTokens: -3, ...context });
  output.take({ type: 'context_window_size', contextWindow: Number.POSITIVE_INFINITY });
  expect(events).toEqual([
    {
      type: 'context_usage',
      inputTokens: 1e12,
      outputTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
    },
    { type: 'context_window_size', contextWindow: 1e12 },
  ]);
});

test('a thought without end is told in pieces, and nothing of it is lost', () => {
  const { output, events } = collect();
  const content = `${'🙂'.repeat(200_000)}end`;
  output.take({ type: 'thinking', content });
  output.take({ type: 'thinking', content: '' });
  const pieces = events.flatMap((event) => (event.type === 'thinking' ? [event.content] : []));
  expect([pieces.join('') === content, pieces.length, pieces.at(-1)]).toEqual([true, 3, '']);
  expect(pieces.every((piece) => !/^[\udc00-\udfff]/.test(piece))).toBe(true);
});
