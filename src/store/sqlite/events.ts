import { searchTextOf } from '../../domain/thread/search-text.js';
import { RunId, ThreadId } from '../../protocol/id.js';
import type { Appended, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import type { StoredEvent } from '../stored-event.js';
import type { SqliteConnection } from './connection.js';
import { bytesOf, pageSize, rowsWithin } from './paging.js';
import { readRun } from './runs.js';
import type { EventRow } from './schema.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// Statements of the one path that every event of every agent takes; through kysely an append cost three times as much.
const insert = `insert into events (thread_id, seq, run_id, run_seq, type, timestamp, json) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (run_id, run_seq) where run_seq is not null do nothing`;
const selectRepeated = 'select seq from events where run_id = ? and run_seq = ?';

export function appendEvents(tx: Transaction, operation: Operation<'appendEvents'>): Appended {
  const { threadId, runId, events } = operation;
  const { connection, sequences, searchTexts } = tx;
  const before = sequences.lastSeq(threadId);
  const lastRunSeq = runId === undefined ? 0 : sequences.lastRunSeq(runId, threadId);
  if (operation.ifLastRunSeq !== undefined && operation.ifLastRunSeq !== lastRunSeq) {
    sequences.write();
    const run = runId === undefined ? null : readRun(connection, { id: runId });
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

export function readEvents(connection: SqliteConnection, query: InputOf<'events'>): StoredEvent[] {
  const { after = 0, mostBytes } = query;
  const asked = pageSize(query.limit);
  const limit = mostBytes === undefined ? asked : eventsWithin(connection, { ...query, asked, mostBytes });
  return connection
    .all(rows(connection, { threadId: query.threadId, after, limit }).selectAll())
    .map(eventOf);
}

function rows(
  connection: SqliteConnection,
  { threadId, after, limit }: { threadId: ThreadId; after: number; limit: number },
) {
  return connection.build
    .selectFrom('events')
    .where('thread_id', '=', threadId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
}

// The table is its own index, so a walk along it reads every row to its end: 8 ms for one of 10 MB. Few are looked at first.
const firstLook = 2;

/** How many of the events that were asked for fit into so many bytes; one always does. */
function eventsWithin(
  connection: SqliteConnection,
  query: InputOf<'events'> & { readonly asked: number; readonly mostBytes: number },
): number {
  const { threadId, after = 0, asked, mostBytes } = query;
  for (let look = firstLook; ; look *= 8) {
    const limit = Math.min(look, asked);
    const sizes = connection.all(rows(connection, { threadId, after, limit }).select(bytesOf('json')));
    const fitting = rowsWithin(sizes, mostBytes);
    if (fitting < limit) return fitting;
    if (limit === asked || sizes.length < limit) return asked;
  }
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
