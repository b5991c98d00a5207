import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineJournal, readJournal } from '../../src/process/files/line-journal.js';
import { SpooledEvents } from '../../src/runner/spooled-events.js';
import { waitUntil } from '../harness/wait-until.js';

let folder: string;
let journal: LineJournal;
let order: string[];
let isFull: boolean;
let cannotSync: boolean;
let tries: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-spool-'));
  journal = LineJournal.open(folder, { segmentBytes: 100 });
  order = [];
  isFull = false;
  cannotSync = false;
  tries = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function spool(capBytes = 10_000, patienceMs = 5000): SpooledEvents {
  return new SpooledEvents({
    capBytes,
    patienceMs,
    now: () => 0,
    log: (line) => order.push(`log ${line}`),
    published: (seq, line) => order.push(`published ${seq} ${JSON.parse(line).type}`),
    publishedLive: (line) => order.push(`told ${JSON.parse(line).content ?? JSON.parse(line).type}`),
    journal: {
      append: (text) => {
        tries += 1;
        if (isFull) throw new Error('ENOSPC: no space left on device');
        const seq = journal.append(text);
        order.push(`appended ${seq}`);
        return seq;
      },
      sync: () => {
        if (cannotSync) throw new Error('ENOSPC: no space left on device');
        journal.sync();
        order.push('synced at once');
      },
      synced: async () => {
        const upTo = await journal.synced();
        if (cannotSync) throw new Error('ENOSPC: no space left on device');
        order.push(`synced to ${upTo}`);
        return upTo;
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
  await waitUntil('it is told', () => order.length === 2);
  events.emit({ type: 'session_id_update', sessionId: 's' });
  await events.close();
  expect(order).toEqual([
    'appended 1',
    'published 1 agent_stop',
    'appended 2',
    'synced to 2',
    'published 2 session_id_update',
  ]);
});

test('what is said together with an event that must not be lost is told together with it', async () => {
  const events = spool();
  events.emit({ type: 'assistant_text', content: 'Done.' });
  events.emit({ type: 'result' } as never);
  events.emit({ type: 'turn_complete', sessionId: 's' });
  expect(order).toEqual(['appended 1', 'appended 2', 'appended 3']);
  await events.close();
  expect(order.slice(3)).toEqual([
    'synced to 3',
    'published 1 assistant_text',
    'published 2 result',
    'published 3 turn_complete',
  ]);
});

test('while the disk is asked to keep an event the program goes on; what comes meanwhile is kept, and told in its order', async () => {
  const events = spool();
  events.emit({ type: 'text_delta', content: 'before' });
  events.emit({ type: 'session_id_update', sessionId: 's' });
  events.emit({ type: 'text_delta', content: 'after' });
  events.emit({ type: 'agent_stop' });
  events.emit({ type: 'result' } as never);
  // A process that is killed now has lost none of them.
  expect(order).toEqual(['told before', 'appended 1', 'appended 2', 'appended 3']);
  expect([...readJournal(folder, 0)]).toHaveLength(3);
  await events.close();
  expect(order.slice(4)).toEqual([
    'synced to 3',
    'published 1 session_id_update',
    'told after',
    'published 2 agent_stop',
    'published 3 result',
  ]);
});

test('the receipt of an answer is synced before it is told, and that of a message is not', async () => {
  const events = spool();
  events.emit({ type: 'command_accepted', commandId: 'm', command: 'message' });
  await waitUntil('it is told', () => order.length === 2);
  events.emit({ type: 'answer_delivered', commandId: 'a', requestId: 'r' });
  // The agent acts on it as soon as this returns.
  expect(order.slice(2)).toEqual(['appended 2', 'synced at once']);
  await events.close();
  expect(order).toEqual([
    'appended 1',
    'published 1 command_accepted',
    'appended 2',
    'synced at once',
    'published 2 answer_delivered',
  ]);
});

test('live text comes at once and then joined, before the durable event that follows it, and is not journalled', async () => {
  const events = spool();
  events.emit({ type: 'text_delta', content: 'one ' });
  events.emit({ type: 'text_delta', content: 'two ' });
  events.emit({ type: 'text_delta', content: 'three' });
  events.emit({ type: 'agent_stop' });
  expect(order).toEqual(['told one ', 'appended 1']);
  await events.close();
  expect(order).toEqual(['told one ', 'appended 1', 'told two three', 'published 1 agent_stop']);
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
  await events.close();
});

test('past its cap the spool pauses the agent until a worker has taken enough', async () => {
  const events = spool(300);
  for (let count = 0; count < 5; count += 1) events.emit({ type: 'assistant_text', content: 'x'.repeat(50) });
  expect(events.whenWritable()).toBeDefined();
  const kept = [...readJournal(folder, 0)].map(({ text }) => JSON.parse(text).type);
  expect(kept.filter((type) => type === 'warning')).toHaveLength(1);
  events.acknowledged(kept.length);
  expect(events.whenWritable()).toBeUndefined();
  await events.close();
});

test('a disk that is full for long is tried once a second, however much waits', {
  tags: ['full'],
}, async () => {
  const events = spool();
  isFull = true;
  for (let count = 0; count < 50; count += 1) events.emit({ type: 'agent_stop' });
  const atFirst = tries;
  await delay(2500);
  expect(tries - atFirst).toBeLessThanOrEqual(3);
  isFull = false;
  await events.whenWritable();
  expect([...readJournal(folder, 0)]).toHaveLength(50);
  await events.close();
});

test('an event that is in the journal and cannot be synced is told once, later, and is there once', async () => {
  const events = spool();
  cannotSync = true;
  events.emit({ type: 'session_id_update', sessionId: 's' });
  events.emit({ type: 'agent_stop' });
  await waitUntil('the agent is paused', () => events.whenWritable() !== undefined);
  expect(order.filter((line) => line.startsWith('published'))).toEqual([]);
  cannotSync = false;
  await events.whenWritable();
  await events.close();
  expect(order.filter((line) => line.startsWith('published'))).toEqual([
    'published 1 session_id_update',
    'published 2 agent_stop',
  ]);
  expect([...readJournal(folder, 0)].map(({ seq, text }) => [seq, JSON.parse(text).runSeq])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('a runner that ends while the disk is full waits for room, and for no longer than it may', async () => {
  const events = spool();
  isFull = true;
  events.emit({ type: 'agent_stop' });
  const closed = events.close();
  isFull = false;
  await closed;
  expect([...readJournal(folder, 0)]).toHaveLength(1);

  journal = LineJournal.open(folder, { segmentBytes: 100 });
  const never = spool(10_000, 10);
  isFull = true;
  never.emit({ type: 'agent_stop' });
  await never.close();
  expect(order.at(-1)).toBe('log 1 events are lost: the spool could not be written to the end.');
});
