import { expect, it } from 'vitest';
import { attemptSpans } from '../../../src/host/telemetry/dispatch-spans.js';
import type { StoredEvent } from '../../../src/store/stored-event.js';
import { at, id, newDispatch } from '../../contract/store/records.js';

const threadId = id('thread');
const attempts = [{ runIds: [], startedAt: at(1), endedAt: at(9), activeMs: 0 }];
const traced = (events: readonly StoredEvent[]) => ({
  dispatch: { ...newDispatch(threadId), attempts },
  thread: { id: threadId, runtime: 'claude' as const },
  attempt: 1,
  events,
  withTexts: false,
});

function call(seq: number, timestamp = at(2)): StoredEvent {
  const fact = { type: 'tool_end', id: `call-${seq}`, tool: 'Bash', success: true };
  return {
    threadId,
    seq,
    runId: null,
    runSeq: null,
    type: 'tool_end',
    timestamp,
    json: JSON.stringify(fact),
  };
}

it('says how many spans a try has beyond those that are told', async () => {
  const { spans, cut } = await attemptSpans(traced(Array.from({ length: 2100 }, (_, seq) => call(seq))));
  expect([spans.length, spans[0]?.name, cut]).toEqual([2000, 'attempt 1', 101]);
});

it('lets other work of the process come in between while it reads many events', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await attemptSpans(traced(Array.from({ length: 20_000 }, (_, seq) => call(seq))));
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(20);
});

it('tells an event without a readable time as of the one before it', async () => {
  const { spans } = await attemptSpans(traced([call(1, 'soon'), call(2), call(3, '')]));
  expect(spans.slice(1).map(({ end }) => new Date(end).toISOString())).toEqual([at(1), at(2), at(2)]);
});
