import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventWriter } from '../../src/runner/event-writer.js';

test('events of one round of the loop are one write, each a line with its time', async () => {
  const writes: string[] = [];
  let now = Date.parse('2026-01-02T03:04:05.678Z');
  const writer = new EventWriter({ write: (text) => writes.push(text), now: () => now });
  writer.emit({ type: 'agent_stop' });
  now += 1;
  writer.emit({ type: 'assistant_text', content: 'a "quoted"\nline\u2028' });
  expect(writes).toEqual([]);
  await nextRound();
  expect(
    writes.map((text) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ),
  ).toEqual([
    [
      { type: 'agent_stop', timestamp: '2026-01-02T03:04:05.678Z' },
      { type: 'assistant_text', content: 'a "quoted"\nline\u2028', timestamp: '2026-01-02T03:04:05.679Z' },
    ],
  ]);
});

test('a durable event takes the live ones before it along, in order', async () => {
  const writes: string[] = [];
  const writer = new EventWriter({ write: (text) => writes.push(text), now: () => 0 });
  writer.emit({ type: 'text_delta', content: 'a' });
  writer.emit({ type: 'agent_stop' });
  await nextRound();
  expect(writes.join('').match(/"type":"\w+"/g)).toEqual(['"type":"text_delta"', '"type":"agent_stop"']);
  writer.emit({ type: 'text_delta', content: 'b' });
  writer.flush();
  writer.flush();
  expect(writes).toHaveLength(2);
});
