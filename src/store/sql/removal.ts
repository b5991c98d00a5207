import { type RawBuilder, sql } from 'kysely';
import { DispatchId, PipelineId, RunId, type ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { AnswerTo, InputOf } from '../query.js';
import { readDispatch } from './dispatches.js';
import { readPipeline } from './pipelines.js';
import type { Reader } from './reader.js';
import { readRun } from './runs.js';
import { change, each, firstRow, type Steps } from './steps.js';
import { expectFree, readThread, updateThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// Rows that refer to others come before them.
const tablesOfThread = [
  'pipelines',
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

export function* archiveThread(
  tx: Transaction,
  { threadId, at }: Operation<'archiveThread'>,
): Steps<Changed> {
  if (at !== null) yield* expectClosed(tx, threadId);
  const name = at === null ? (yield* readThread(tx, { id: threadId }))?.name : undefined;
  if (name !== undefined) yield* expectFree(tx, name, threadId);
  return yield* updateThread(tx, threadId, { archived_at: at });
}

export function* dropEvents(
  tx: Transaction,
  { threadId, upTo, file }: Operation<'dropEvents'>,
): Steps<Changed> {
  const { build } = tx;
  yield* tx.writeSequences();
  const thread = yield* readThread(tx, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (thread.archivedAt === undefined || thread.eventsIn !== undefined || thread.lastSeq !== upTo)
    throw new UnitRefused({ thread });
  yield* expectClosed(tx, threadId);
  // The thread itself, which is number 0, is still found.
  yield* tx.removeSearchTexts(threadId, { from: 1, to: upTo });
  yield* change(build.deleteFrom('events').where('thread_id', '=', threadId));
  return yield* updateThread(tx, threadId, { events_in: file });
}

export function* removeThread(tx: Transaction, { threadId }: Operation<'removeThread'>): Steps<Changed> {
  const { build } = tx;
  const thread = yield* readThread(tx, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  yield* expectClosed(tx, threadId);
  yield* tx.writeSequences();
  yield* keepUsage(tx, threadId);
  yield* tx.removeSearchTexts(threadId);
  yield* change(
    build
      .deleteFrom('attempts')
      .where(
        'dispatch_id',
        'in',
        build.selectFrom('dispatches').select('id').where('thread_id', '=', threadId),
      ),
  );
  yield* change(
    build
      .deleteFrom('pipeline_phases')
      .where(
        'pipeline_id',
        'in',
        build.selectFrom('pipelines').select('id').where('thread_id', '=', threadId),
      ),
  );
  for (const table of tablesOfThread)
    yield* change(build.deleteFrom(table).where('thread_id', '=', threadId));
  tx.changed({ topic: 'thread', threadId });
  return { changed: yield* change(build.deleteFrom('threads').where('id', '=', threadId)) };
}

/** Something of a thread that has not ended. */
function* firstOpen(
  { build }: Transaction,
  table: 'pipelines' | 'dispatches',
  threadId: ThreadId,
): Steps<{ readonly id: string } | undefined> {
  return yield* firstRow(
    build
      .selectFrom(table)
      .select('id')
      .where('thread_id', '=', threadId)
      .where('state', '<>', 'ended')
      .limit(1),
  );
}

/** Refuses while work or the pipeline of the thread has not ended, an agent of it lives, or a terminal has it. */
function* expectClosed(tx: Transaction, threadId: ThreadId): Steps<void> {
  const { build } = tx;
  const thread = yield* readThread(tx, { id: threadId });
  if (thread?.terminal) throw new UnitRefused({ thread });
  const ongoing = yield* firstOpen(tx, 'pipelines', threadId);
  const pipeline = ongoing && (yield* readPipeline(tx, { id: PipelineId.parse(ongoing.id) }));
  if (pipeline) throw new UnitRefused({ pipeline });
  const work = yield* firstOpen(tx, 'dispatches', threadId);
  const dispatch = work && (yield* readDispatch(tx, { id: DispatchId.parse(work.id) }));
  if (dispatch) throw new UnitRefused({ dispatch });
  const living = yield* firstRow(
    build
      .selectFrom('runs')
      .select('id')
      .where('thread_id', '=', threadId)
      .where('ended_at', 'is', null)
      .limit(1),
  );
  const run = living && (yield* readRun(tx, { id: RunId.parse(living.id) }));
  if (run) throw new UnitRefused({ run });
}

export function* readThreadSizes(
  reader: Reader,
  { threadIds }: InputOf<'threadSizes'>,
): Steps<AnswerTo<'threadSizes'>> {
  return yield* each(threadIds, function* (threadId) {
    const sizes = columnsOfThread.map(
      ([table, column]) =>
        sql`(select coalesce(sum(octet_length(${sql.ref(column)})), 0) from ${sql.table(table)} where thread_id = ${threadId})`,
    );
    const bytes: RawBuilder<number> = sql<number>`${sql.join(sizes, sql` + `)}`;
    const row = yield* firstRow(reader.build.selectNoFrom(bytes.as('bytes')));
    return { threadId, bytes: row?.bytes ?? 0 };
  });
}

/** What it used stays known by day, runtime and status. */
function* keepUsage({ build }: Transaction, threadId: string): Steps<void> {
  const counted = [
    'day',
    'runtime',
    'status',
    'input_tokens',
    'output_tokens',
    'cost_usd',
    'cpu_ms',
    'alive_ms',
    'memory_byte_seconds',
    'peak_memory_bytes',
  ] as const;
  yield* change(
    build
      .insertInto('removed_usage')
      .columns(counted)
      .expression(build.selectFrom('usage').select(counted).where('thread_id', '=', threadId))
      .onConflict((conflict) =>
        conflict.columns(['day', 'runtime', 'status']).doUpdateSet({
          input_tokens: sql`removed_usage.input_tokens + excluded.input_tokens`,
          output_tokens: sql`removed_usage.output_tokens + excluded.output_tokens`,
          cost_usd: sql`coalesce(removed_usage.cost_usd + excluded.cost_usd, removed_usage.cost_usd, excluded.cost_usd)`,
          cpu_ms: sql`removed_usage.cpu_ms + excluded.cpu_ms`,
          alive_ms: sql`removed_usage.alive_ms + excluded.alive_ms`,
          memory_byte_seconds: sql`removed_usage.memory_byte_seconds + excluded.memory_byte_seconds`,
          peak_memory_bytes: sql`case when removed_usage.peak_memory_bytes > excluded.peak_memory_bytes then removed_usage.peak_memory_bytes else excluded.peak_memory_bytes end`,
        }),
      ),
  );
}
