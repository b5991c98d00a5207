import type { Kysely, RawBuilder } from 'kysely';
import type { SqlDialect } from './dialect.js';
import type { Schema } from './schema.js';

/** What a query is read with. */
export interface Reader {
  readonly dialect: SqlDialect;
  readonly build: Kysely<Schema>;
  /** Whether a row that is read by its id stays as it is until the end of the transaction. */
  readonly locksRows: boolean;
  /** Whether a thread, by the column that has its id, is worked on by this worker. */
  isOwnThread(column: string): RawBuilder<boolean>;
  /** Whether a row of a table that says whose it is, is this worker's. */
  isOwnRow(table: string): RawBuilder<boolean>;
  /** What a new row says about whose it is; nothing where only one worker is. */
  readonly ownerColumns: { readonly worker_id?: string };
}
