import { RunId, ThreadId } from '../../protocol/id.js';
import type { Appended, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import type { EventRow } from '../schema.js';
import type { StoredEvent } from '../stored-event.js';
import type { Connection } from './connection.js';
import { pageSize } from './paging.js';
import { Refused } from './refused.js';
import { readRun } from './runs.js';
import type { Transaction } from './transaction.js';

// Statements of the one path that every event of every agent takes; through kysely an append cost three times as much.
const insert = `insert into events (thread_id, seq, run_id, run_seq, type, timestamp, json) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (run_id, run_seq) where run_seq is not null do nothing`;
const selectRepeated = 'select seq from events where run_id = ? and run_seq = ?';

export function appendEvents(tx: Transaction, operation: Operation<'appendEvents'>): Appended {
  const { threadId, runId, events } = operation;
  const { connection, sequences } = tx;
  const before = sequences.lastSeq(threadId);
  const lastRunSeq = runId === undefined ? 0 : sequences.lastRunSeq(runId, threadId);
  if (operation.ifLastRunSeq !== undefined && operation.ifLastRunSeq !== lastRunSeq) {
    sequences.write();
    const run = runId === undefined ? null : readRun(connection, { id: runId });
    throw new Refused(run && { run });
  }

  const statement = connection.prepare(insert);
  let seq = before;
  let runSeq = lastRunSeq;
  let repeated = 0;
  const seqs = events.map((event) => {
    const inRun = runId === undefined ? null : (event.runSeq ?? null);
    const values = [threadId, seq + 1, runId ?? null, inRun, event.type, event.timestamp, event.json];
    if (statement.run(values).changes === 0) {
      repeated += 1;
      return connection.number(selectRepeated, [runId ?? '', inRun]) ?? seq;
    }
    seq += 1;
    if (inRun !== null && inRun > runSeq) runSeq = inRun;
    return seq;
  });

  if (seq > before) {
    sequences.advanceSeq(threadId, seq);
    tx.changed({ topic: 'events', threadId, seq });
  }
  if (runId !== undefined) sequences.advanceRunSeq(runId, threadId, runSeq);
  return { seqs, repeated };
}

export function readEvents(connection: Connection, query: InputOf<'events'>): StoredEvent[] {
  return connection
    .all(
      connection.build
        .selectFrom('events')
        .selectAll()
        .where('thread_id', '=', query.threadId)
        .where('seq', '>', query.after ?? 0)
        .orderBy('seq')
        .limit(pageSize(query.limit)),
    )
    .map(eventOf);
}

export function readRunEvents(connection: Connection, query: InputOf<'runEvents'>): StoredEvent[] {
  return connection
    .all(
      connection.build
        .selectFrom('events')
        .selectAll()
        .where('run_id', '=', query.runId)
        .where('run_seq', 'is not', null)
        .where('run_seq', '>', query.after ?? 0)
        .orderBy('run_seq')
        .limit(pageSize(query.limit)),
    )
    .map(eventOf);
}

function eventOf(row: EventRow): StoredEvent {
  return {
    threadId: ThreadId.parse(row.thread_id),
    seq: row.seq,
    runId: row.run_id === null ? null : RunId.parse(row.run_id),
    runSeq: row.run_seq,
    type: row.type,
    timestamp: row.timestamp,
    json: row.json,
  };
}
