import { type RawBuilder, sql } from 'kysely';
import { DispatchId, RunId, type ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import type { SqliteConnection } from './connection.js';
import { readDispatch } from './dispatches.js';
import { readRun } from './runs.js';
import { expectFree, readThread, updateThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// Rows that refer to others come before them.
const tablesOfThread = [
  'review_comments',
  'landings',
  'tool_outputs',
  'usage',
  'status_log',
  'prompts',
  'events',
  'runs',
  'dispatches',
] as const;

// What takes the space of a thread.
const columnsOfThread = [
  ['events', 'json'],
  ['tool_outputs', 'text'],
  ['prompts', 'questions'],
  ['status_log', 'report'],
  ['dispatches', 'request'],
] as const;

export function archiveThread(tx: Transaction, { threadId, at }: Operation<'archiveThread'>): Changed {
  if (at !== null) expectClosed(tx, threadId);
  const name = at === null ? readThread(tx.connection, { id: threadId })?.name : undefined;
  if (name !== undefined) expectFree(tx, name, threadId);
  return updateThread(tx, threadId, { archived_at: at });
}

export function dropEvents(tx: Transaction, { threadId, upTo, file }: Operation<'dropEvents'>): Changed {
  const { connection, build } = tx;
  tx.sequences.write();
  const thread = readThread(connection, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (thread.archivedAt === undefined || thread.eventsIn !== undefined || thread.lastSeq !== upTo)
    throw new UnitRefused({ thread });
  expectClosed(tx, threadId);
  // The thread itself, which is number 0, is still found.
  tx.searchTexts.remove(threadId, { from: 1, to: upTo });
  connection.run(build.deleteFrom('events').where('thread_id', '=', threadId));
  return updateThread(tx, threadId, { events_in: file });
}

export function removeThread(tx: Transaction, { threadId }: Operation<'removeThread'>): Changed {
  const { connection, build } = tx;
  const thread = readThread(connection, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  expectClosed(tx, threadId);
  tx.sequences.write();
  keepUsage(tx, threadId);
  tx.searchTexts.remove(threadId);
  connection.run(
    build
      .deleteFrom('attempts')
      .where(
        'dispatch_id',
        'in',
        build.selectFrom('dispatches').select('id').where('thread_id', '=', threadId),
      ),
  );
  for (const table of tablesOfThread)
    connection.run(build.deleteFrom(table).where('thread_id', '=', threadId));
  tx.changed({ topic: 'thread', threadId });
  return { changed: connection.run(build.deleteFrom('threads').where('id', '=', threadId)) };
}

/** Refuses while work of the thread has not ended, an agent of it lives, or a terminal has it. */
function expectClosed({ connection, build }: Transaction, threadId: ThreadId): void {
  const thread = readThread(connection, { id: threadId });
  if (thread?.terminal) throw new UnitRefused({ thread });
  const work = connection.first(
    build
      .selectFrom('dispatches')
      .select('id')
      .where('thread_id', '=', threadId)
      .where('state', '<>', 'ended')
      .limit(1),
  );
  const dispatch = work && readDispatch(connection, { id: DispatchId.parse(work.id) });
  if (dispatch) throw new UnitRefused({ dispatch });
  const living = connection.first(
    build
      .selectFrom('runs')
      .select('id')
      .where('thread_id', '=', threadId)
      .where('ended_at', 'is', null)
      .limit(1),
  );
  const run = living && readRun(connection, { id: RunId.parse(living.id) });
  if (run) throw new UnitRefused({ run });
}

export function readThreadSizes(connection: SqliteConnection, { threadIds }: InputOf<'threadSizes'>) {
  return threadIds.map((threadId) => {
    const sizes = columnsOfThread.map(
      ([table, column]) =>
        sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} where thread_id = ${threadId})`,
    );
    const bytes: RawBuilder<number> = sql<number>`${sql.join(sizes, sql` + `)}`;
    const row = connection.first(connection.build.selectNoFrom(bytes.as('bytes')));
    return { threadId, bytes: row?.bytes ?? 0 };
  });
}

/** What it cost stays known by day and by runtime. */
function keepUsage({ connection }: Transaction, threadId: string): void {
  connection
    .prepare(
      `insert into removed_usage (day, runtime, input_tokens, output_tokens, cost_usd)
        select day, runtime, input_tokens, output_tokens, cost_usd from usage where thread_id = ?
        on conflict (day, runtime) do update set
          input_tokens = input_tokens + excluded.input_tokens,
          output_tokens = output_tokens + excluded.output_tokens,
          cost_usd = coalesce(cost_usd + excluded.cost_usd, cost_usd, excluded.cost_usd)`,
    )
    .run([threadId]);
}
