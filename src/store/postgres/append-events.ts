import { searchTextOf } from '../../domain/thread/search-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Appended, Operation } from '../operation.js';
import { readRun } from '../sql/runs.js';
import { change, firstRow, type Steps } from '../sql/steps.js';
import { readThread } from '../sql/threads.js';
import type { SearchText, Transaction } from '../sql/transaction.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { NewEvent } from '../stored-event.js';
import { searchVector } from './search-vector.js';

const insertEvents = `
  insert into events (thread_id, run_id, seq, run_seq, type, timestamp, json)
  select $1, $2, seq, run_seq, type, timestamp, json
  from unnest($3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[])
    as event (seq, run_seq, type, timestamp, json)`;

const insertTexts = `
  insert into search_texts (thread_id, seq, words)
  select $1, seq, words::tsvector from unnest($2::integer[], $3::text[]) as found (seq, words)`;

/** Numbers events in their thread and stores them, all in one statement; the thread and the run stay locked meanwhile. */
export function* appendEventBatch(tx: Transaction, operation: Operation<'appendEvents'>): Steps<Appended> {
  const { threadId, runId, ifLastSeq, ifLastRunSeq, events } = operation;
  const { build } = tx;
  const thread = yield* firstRow(
    build.selectFrom('threads').select('last_seq').where('id', '=', threadId).forUpdate(),
  );
  if (!thread) throw new UnitRefused(null);
  if (ifLastSeq !== undefined && ifLastSeq !== thread.last_seq) {
    const current = yield* readThread(tx, { id: threadId });
    throw new UnitRefused(current && { thread: current });
  }
  const run = runId === undefined ? undefined : yield* readRun(tx, { id: runId });
  if (runId !== undefined && run?.threadId !== threadId) throw new UnitRefused(null);
  if (ifLastRunSeq !== undefined && ifLastRunSeq !== (run?.lastRunSeq ?? 0))
    throw new UnitRefused(run ? { run } : null);

  const places = yield* knownPlaces(operation, run?.lastRunSeq ?? 0);
  const fresh: (NewEvent & { readonly seq: number })[] = [];
  let last = thread.last_seq;
  const seqs = events.map((event) => {
    const known = event.runSeq === undefined ? undefined : places.get(event.runSeq);
    if (known !== undefined) return known;
    last += 1;
    fresh.push({ ...event, seq: last });
    if (runId !== undefined && event.runSeq !== undefined) places.set(event.runSeq, last);
    return last;
  });
  if (fresh.length > 0) {
    yield* insert(operation, fresh);
    yield* addSearchTexts(
      threadId,
      fresh.map(({ seq, type, json }) => ({ threadId, seq, text: searchTextOf(type, json) })),
    );
    yield* change(build.updateTable('threads').set({ last_seq: last }).where('id', '=', threadId));
    tx.changed({ topic: 'events', threadId, seq: last });
  }
  const lastRunSeq = Math.max(run?.lastRunSeq ?? 0, ...fresh.map(({ runSeq }) => runSeq ?? 0));
  if (run && lastRunSeq > run.lastRunSeq)
    yield* change(build.updateTable('runs').set({ last_run_seq: lastRunSeq }).where('id', '=', run.id));
  return { seqs, repeated: events.length - fresh.length };
}

/** Makes texts found by their words. */
export function* addSearchTexts(threadId: ThreadId, texts: readonly SearchText[]): Steps<void> {
  const found = texts.filter(({ text }) => text !== '');
  if (found.length === 0) return;
  const parameters = [threadId, found.map(({ seq }) => seq), found.map(({ text }) => searchVector(text))];
  yield { sql: insertTexts, parameters, wants: 'count' };
}

/** Where the events of the run are that were stored before, by their number in the run. */
function* knownPlaces(
  { runId, events }: Operation<'appendEvents'>,
  lastRunSeq: number,
): Steps<Map<number, number>> {
  const old = events.flatMap(({ runSeq }) => (runSeq !== undefined && runSeq <= lastRunSeq ? [runSeq] : []));
  if (runId === undefined || old.length === 0) return new Map();
  const { rows } = yield {
    sql: 'select run_seq, seq from events where run_id = $1 and run_seq = any($2::integer[])',
    parameters: [runId, old],
    wants: 'rows',
  };
  return new Map(rows.map((row) => [Number(Object(row).run_seq), Number(Object(row).seq)]));
}

function* insert(
  { threadId, runId }: Operation<'appendEvents'>,
  events: readonly (NewEvent & { readonly seq: number })[],
): Steps<void> {
  const parameters = [
    threadId,
    runId ?? null,
    events.map(({ seq }) => seq),
    events.map(({ runSeq }) => (runId === undefined ? null : (runSeq ?? null))),
    events.map(({ type }) => type),
    events.map(({ timestamp }) => timestamp),
    events.map(({ json }) => json),
  ];
  yield { sql: insertEvents, parameters, wants: 'count' };
}
