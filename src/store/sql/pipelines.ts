import { type Selectable, sql } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredPhase, StoredPipeline } from '../stored-pipeline.js';
import { fromJson } from './json-column.js';
import { bytesOf, idHas, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { PipelineRow } from './schema.js';
import { all, change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* insertPipeline(tx: Transaction, { pipeline }: Operation<'insertPipeline'>): Steps<Changed> {
  const { id, threadId, state } = pipeline;
  const row = { id, thread_id: threadId, state, record: JSON.stringify(pipeline), ...tx.ownerColumns };
  return { changed: yield* change(tx.build.insertInto('pipelines').values(row)) };
}

export function* replacePipeline(tx: Transaction, operation: Operation<'replacePipeline'>): Steps<Changed> {
  const { pipeline, phases } = operation;
  const { id, state } = pipeline;
  const before = yield* readPipeline(tx, { id });
  if (!before) throw new UnitRefused(null);
  if (before.revision !== operation.if.revision) throw new UnitRefused({ pipeline: before });
  for (const phase of phases) {
    const record = JSON.stringify(phase);
    yield* change(
      tx.build
        .insertInto('pipeline_phases')
        .values({ pipeline_id: id, key: phase.key, record })
        .onConflict((conflict) => conflict.columns(['pipeline_id', 'key']).doUpdateSet({ record })),
    );
  }
  const changed = yield* change(
    tx.build
      .updateTable('pipelines')
      .set({ state, record: JSON.stringify(pipeline) })
      .where('id', '=', id),
  );
  return { changed };
}

export function* readPipeline(reader: Reader, { id }: InputOf<'pipeline'>): Steps<StoredPipeline | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('pipelines')
      .selectAll()
      .where('id', '=', id)
      .$if(reader.locksRows, (query) => query.forUpdate()),
  );
  return row ? pipelineOf(row) : null;
}

export function* readPipelines(reader: Reader, request: InputOf<'pipelines'>): Steps<Page<StoredPipeline>> {
  const { open, own, ofWorker } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('pipelines')
      .where('n', compare, cursor)
      .where(idHas(reader, request))
      .$if(own === true, (query) => query.where(reader.isOwnRow('pipelines')))
      .$if(ofWorker !== undefined && reader.ownerColumns.worker_id !== undefined, (query) =>
        query.where(sql<boolean>`pipelines.worker_id = ${ofWorker}`),
      )
      .$if(open === true, (query) => query.where('state', '<>', 'ended'))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('record')),
    records: (found) => withoutSteps(found.map(pipelineOf)),
  });
}

export function* readPipelinePhases(
  reader: Reader,
  { id }: InputOf<'pipelinePhases'>,
): Steps<readonly StoredPhase[]> {
  const rows = yield* all(
    reader.build.selectFrom('pipeline_phases').select('record').where('pipeline_id', '=', id),
  );
  return rows.map(({ record }) => StoredPhase.parse(fromJson(record)));
}

function pipelineOf(row: Selectable<PipelineRow>): StoredPipeline {
  return StoredPipeline.parse(fromJson(row.record));
}
