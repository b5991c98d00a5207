import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineJournal, readJournal } from '../../src/process/line-journal.js';
import { SpooledEvents } from '../../src/runner/spooled-events.js';
import { waitUntil } from '../harness/wait-until.js';

let folder: string;
let journal: LineJournal;
let order: string[];
let isFull: boolean;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-spool-'));
  journal = LineJournal.open(folder, { segmentBytes: 100 });
  order = [];
  isFull = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function spool(capBytes = 10_000): SpooledEvents {
  return new SpooledEvents({
    capBytes,
    now: () => 0,
    log: (line) => order.push(`log ${line}`),
    published: (seq, line) => order.push(`published ${seq} ${JSON.parse(line).type}`),
    told: (line) => order.push(`told ${JSON.parse(line).content ?? JSON.parse(line).type}`),
    journal: {
      append: (text) => {
        if (isFull) throw new Error('ENOSPC: no space left on device');
        const seq = journal.append(text);
        order.push(`appended ${seq}`);
        return seq;
      },
      sync: () => {
        order.push('synced');
        journal.sync();
      },
      trim: (seq) => journal.trim(seq),
      close: () => journal.close(),
      get lastSeq() {
        return journal.lastSeq;
      },
      get bytes() {
        return journal.bytes;
      },
    },
  });
}

test('an event is journalled before it is told; one that must not be lost is synced in between', async () => {
  const events = spool();
  events.emit({ type: 'agent_stop' });
  events.emit({ type: 'session_id_update', sessionId: 's' });
  expect(order).toEqual([
    'appended 1',
    'published 1 agent_stop',
    'appended 2',
    'synced',
    'published 2 session_id_update',
  ]);
  events.emit({ type: 'agent_stop' });
  await waitUntil(async () => order.at(-1) === 'synced');
  events.close();
});

test('live text comes at once and then joined, before the durable event that follows it, and is not journalled', () => {
  const events = spool();
  events.emit({ type: 'text_delta', content: 'one ' });
  events.emit({ type: 'text_delta', content: 'two ' });
  events.emit({ type: 'text_delta', content: 'three' });
  events.emit({ type: 'agent_stop' });
  expect(order).toEqual(['told one ', 'told two three', 'appended 1', 'published 1 agent_stop']);
  events.close();
  expect([...readJournal(folder, 0)]).toHaveLength(1);
});

test('a full disk pauses the agent, says so, loses nothing, and lets it go on', async () => {
  const events = spool();
  isFull = true;
  events.emit({ type: 'agent_stop' });
  events.emit({ type: 'session_id_update', sessionId: 's' });
  const pause = events.whenWritable();
  expect(pause).toBeDefined();
  expect(order).toEqual([
    'log The spool cannot be written (ENOSPC: no space left on device); the agent is paused until it can.',
    'told warning',
  ]);
  isFull = false;
  await pause;
  expect([...readJournal(folder, 0)].map(({ text }) => JSON.parse(text).type)).toEqual([
    'agent_stop',
    'session_id_update',
  ]);
  expect(events.whenWritable()).toBeUndefined();
  events.close();
});

test('past its cap the spool pauses the agent until a worker has taken enough', () => {
  const events = spool(300);
  for (let count = 0; count < 5; count += 1) events.emit({ type: 'assistant_text', content: 'x'.repeat(50) });
  expect(events.whenWritable()).toBeDefined();
  const kept = [...readJournal(folder, 0)].map(({ text }) => JSON.parse(text).type);
  expect(kept.filter((type) => type === 'warning')).toHaveLength(1);
  events.acknowledged(kept.length);
  expect(events.whenWritable()).toBeUndefined();
  events.close();
});
