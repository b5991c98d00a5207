import { searchTextOf } from '../../domain/thread/search-text.js';
import type { Appended, Operation } from '../operation.js';
import { readRun } from '../sql/runs.js';
import { readThread } from '../sql/threads.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { SqliteTransaction } from './sqlite-transaction.js';

// Statements of the one path that every event of every agent takes; through kysely an append cost three times as much.
const insert = `insert into events (thread_id, seq, run_id, run_seq, type, timestamp, json) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (run_id, run_seq) where run_seq is not null do nothing`;
const selectRepeated = 'select seq from events where run_id = ? and run_seq = ?';

export function appendEvents(tx: SqliteTransaction, operation: Operation<'appendEvents'>): Appended {
  const { threadId, runId, events } = operation;
  const { connection, sequences, searchTexts } = tx;
  const before = sequences.lastSeq(threadId);
  if (operation.ifLastSeq !== undefined && operation.ifLastSeq !== before) {
    sequences.write();
    const thread = connection.drive(readThread(tx, { id: threadId }));
    throw new UnitRefused(thread && { thread });
  }
  const lastRunSeq = runId === undefined ? 0 : sequences.lastRunSeq(runId, threadId);
  if (operation.ifLastRunSeq !== undefined && operation.ifLastRunSeq !== lastRunSeq) {
    sequences.write();
    const run = runId === undefined ? null : connection.drive(readRun(tx, { id: runId }));
    throw new UnitRefused(run && { run });
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
    searchTexts.add({ threadId, seq, text: searchTextOf(event.type, event.json) });
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
