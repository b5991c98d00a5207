import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DispatchId, RunId, ThreadId } from '../../../src/protocol/id.js';
import type { Operation } from '../../../src/store/operation.js';
import { at, id, idle, newDispatch, newRun, succeeded } from '../../contract/store/records.js';
import { type SqlitePlace, sqlitePlace } from './place.js';
import { Served } from './served.js';

const turns = 12;

let place: SqlitePlace;
beforeEach(async () => {
  place = await sqlitePlace();
});
afterEach(() => place.remove());

// What a turn writes does not depend on how busy the machine is. A tree that splits adds to single turns, so the cheapest counts.
test('a warm turn writes no more pages than it has to, and its words are not among them', async () => {
  const served = await Served.open(place.file);
  const threadId = served.newThread('pergola');
  const run = newRun(threadId);
  served.commit([{ do: 'insertRun', run }]);
  const counts = Array.from({ length: turns }, (_, turn) => pagesOfTurn(served, threadId, run.id, turn));
  const lowest = (part: 'down' | 'text' | 'end') => Math.min(...counts.map((count) => count[part]));

  expect(lowest('down')).toBeLessThanOrEqual(15);
  expect(lowest('text')).toBeLessThanOrEqual(4);
  expect(lowest('end')).toBeLessThanOrEqual(12);
  // Those of all turns together cost less than those of two turns one by one.
  expect(served.pagesOf(() => served.pass())).toBeLessThanOrEqual(12);
  expect(served.found('halcyon')).toEqual([threadId]);
});

function pagesOfTurn(served: Served, threadId: ThreadId, runId: RunId, turn: number) {
  const dispatchId = id('dispatch');
  const runSeq = turn * 5;
  return {
    down: served.pagesOf(() => served.commit(begun(threadId, runId, dispatchId))),
    text: served.pagesOf(() =>
      served.commit([
        told(threadId, runId, runSeq, [
          ['command_accepted', {}],
          ['status_evidence', { fact: 'turn_started' }],
          ['assistant_text', { content: `halcyon ${turn}` }],
        ]),
      ]),
    ),
    end: served.pagesOf(() => served.commit(ended(threadId, runId, dispatchId, runSeq))),
  };
}

function begun(threadId: ThreadId, runId: RunId, dispatchId: DispatchId): Operation[] {
  return [
    { do: 'insertDispatch', dispatch: newDispatch(threadId, { id: dispatchId }) },
    { do: 'claimDispatches', limit: 1, now: at(3), until: at(60), including: dispatchId },
    { do: 'startAttempt', dispatchId, at: at(3) },
    { do: 'addAttemptRun', dispatchId, attempt: 1, runId },
    { do: 'appendEvents', threadId, events: [event('user_message', { text: 'quincunx' })] },
    { do: 'appendStatus', threadId, report: idle, at: at(3) },
  ];
}

function ended(threadId: ThreadId, runId: RunId, dispatchId: DispatchId, runSeq: number): Operation[] {
  const outcome = succeeded;
  return [
    told(threadId, runId, runSeq + 3, [
      ['result', { success: true }],
      ['turn_complete', {}],
    ]),
    {
      do: 'addUsage',
      threadId,
      runtime: 'claude',
      at: at(4),
      usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
    },
    { do: 'endAttempt', dispatchId, attempt: 1, at: at(4), outcome },
    { do: 'patchDispatch', dispatchId, patch: { state: 'ended', outcome, endedAt: at(4) } },
    { do: 'releaseLease', dispatchId, epoch: 1 },
    { do: 'appendEvents', threadId, events: [event('dispatch_ended', { outcome })] },
    { do: 'appendStatus', threadId, report: idle, at: at(4) },
  ];
}

function told(
  threadId: ThreadId,
  runId: RunId,
  before: number,
  events: readonly (readonly [type: string, fields: object])[],
): Operation {
  const numbered = events.map(([type, fields], index) => ({
    ...event(type, fields),
    runSeq: before + index + 1,
  }));
  return { do: 'appendEvents', threadId, runId, events: numbered };
}

function event(type: string, fields: object) {
  return { type, timestamp: at(3), json: JSON.stringify({ type, timestamp: at(3), ...fields }) };
}
