import type { Selectable } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { StoredLanding } from '../stored-landing.js';
import type { SqliteConnection } from './connection.js';
import { fromJson } from './json-column.js';
import type { LandingRow } from './schema.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

const defaultLimit = 20;

export function putLanding(tx: Transaction, { landing }: Operation<'putLanding'>): Changed {
  const { connection, build } = tx;
  const { id, threadId, state } = landing;
  const thread = build.selectFrom('threads').select('id').where('id', '=', threadId);
  if (!connection.first(thread)) throw new UnitRefused(null);
  const record = JSON.stringify(landing);
  const changed = connection.run(
    build
      .insertInto('landings')
      .values({ id, thread_id: threadId, state, record })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ state, record })),
  );
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function readLandings(
  connection: SqliteConnection,
  query: InputOf<'landings'>,
): readonly StoredLanding[] {
  const { threadId, state, limit = defaultLimit } = query;
  const rows = connection.all(
    connection.build
      .selectFrom('landings')
      .selectAll()
      .$if(threadId !== undefined, (rows) => rows.where('thread_id', '=', threadId ?? ''))
      .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? ''))
      .orderBy('n', 'desc')
      .limit(limit),
  );
  return rows.map(landingOf);
}

function landingOf(row: Selectable<LandingRow>): StoredLanding {
  return StoredLanding.parse(fromJson(row.record));
}
