import { once } from 'node:events';
import { setImmediate as nextRead } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventIntake } from '../../../src/host/runs/event-intake.js';
import type {
  DurableLine,
  RunnerConnection,
  TransientLine,
} from '../../../src/host/runs/runner-connection.js';

const durable = (seq: number, type = 'assistant_text'): DurableLine => ({
  kind: 'durable',
  type,
  seq,
  text: `${seq}`,
});
const live = (text: string): TransientLine => ({ kind: 'transient', type: 'text_delta', text });

/** What is recorded and shown of lines that come one by one, or all with one read, while the first commit is under way. */
async function taken(
  lines: readonly (DurableLine | TransientLine)[],
  { together = false } = {},
): Promise<string[]> {
  const order: string[] = [];
  const reading = new AbortController();
  const isRead = once(reading.signal, 'abort');
  const connection = {
    async *lines() {
      for (const line of lines) {
        yield line;
        if (!together) await nextRead();
      }
      reading.abort();
    },
    send: () => {},
    [Symbol.asyncDispose]: async () => {},
  } as unknown as RunnerConnection;
  const intake = new EventIntake(connection, {
    lastRecorded: 0,
    failpoint: () => {},
    target: {
      record: async (unit) => {
        await isRead;
        order.push(`recorded ${unit.map(({ seq }) => seq).join(' ')}`);
        return unit.at(-1)?.seq ?? 0;
      },
      show: ({ text }) => order.push(`shown ${text}`),
    },
  });
  await intake.run();
  return order;
}

test('live text is shown between what the runner wrote before it and what it wrote after it', async () => {
  expect(
    await taken([durable(1), durable(2), live('a'), live('b'), durable(3), durable(4), live('c')]),
  ).toEqual(['recorded 1', 'recorded 2', 'shown a', 'shown b', 'recorded 3 4', 'shown c']);
});

test('what comes while a commit is under way goes into the next', async () => {
  expect(await taken([durable(1), durable(2), durable(3)])).toEqual(['recorded 1', 'recorded 2 3']);
});

test('what comes with one read is one commit', async () => {
  const lines = [durable(1), durable(2, 'result'), durable(3, 'turn_complete')];
  expect(await taken(lines, { together: true })).toEqual(['recorded 1 2 3']);
});

test('live text keeps its place among what comes with one read', async () => {
  const lines = [durable(1), live('a'), durable(2), durable(3)];
  expect(await taken(lines, { together: true })).toEqual(['recorded 1', 'shown a', 'recorded 2 3']);
});

test('live text waits for no receipt and no measure, and these are committed together with what follows', async () => {
  expect(
    await taken([
      durable(1, 'command_accepted'),
      durable(2, 'status_evidence'),
      live('a'),
      durable(3),
      live('b'),
    ]),
  ).toEqual(['shown a', 'recorded 1 2 3', 'shown b']);
});

test('live text does not overtake that the agent began to think', async () => {
  expect(
    await taken([durable(1, 'thinking_start'), live('a'), durable(2, 'status_evidence'), live('b')]),
  ).toEqual(['recorded 1', 'shown a', 'shown b', 'recorded 2']);
});
