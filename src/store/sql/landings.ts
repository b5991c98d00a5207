import { type Selectable, sql } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { StoredLanding } from '../stored-landing.js';
import { fromJson } from './json-column.js';
import type { Reader } from './reader.js';
import type { LandingRow } from './schema.js';
import { all, change, firstRow, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

const defaultLimit = 20;

export function* putLanding(tx: Transaction, { landing }: Operation<'putLanding'>): Steps<Changed> {
  const { build } = tx;
  const { id, threadId, state } = landing;
  const thread = build.selectFrom('threads').select('id').where('id', '=', threadId);
  if (!(yield* firstRow(thread))) throw new UnitRefused(null);
  const record = JSON.stringify(landing);
  const changed = yield* change(
    build
      .insertInto('landings')
      .values({ id, thread_id: threadId, state, record })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ state, record })),
  );
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function* readLandings(reader: Reader, query: InputOf<'landings'>): Steps<readonly StoredLanding[]> {
  const { threadId, state, own, ofWorker, limit = defaultLimit } = query;
  const rows = yield* all(
    reader.build
      .selectFrom('landings')
      .selectAll()
      .$if(threadId !== undefined, (rows) => rows.where('thread_id', '=', threadId ?? ''))
      .$if(own === true, (rows) => rows.where(reader.isOwnThread('landings.thread_id')))
      .$if(ofWorker !== undefined && reader.ownerColumns.worker_id !== undefined, (rows) =>
        rows.where(
          sql<boolean>`exists (select 1 from threads as theirs where theirs.id = landings.thread_id and theirs.worker_id = ${ofWorker})`,
        ),
      )
      .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? ''))
      .orderBy('n', 'desc')
      .limit(limit),
  );
  return rows.map(landingOf);
}

function landingOf(row: Selectable<LandingRow>): StoredLanding {
  return StoredLanding.parse(fromJson(row.record));
}
