import type { Kysely } from 'kysely';
import type { SqlDialect } from './dialect.js';
import type { Schema } from './schema.js';

/** What a query is read with. */
export interface Reader {
  readonly dialect: SqlDialect;
  readonly build: Kysely<Schema>;
  /** Whether a row that is read by its id stays as it is until the end of the transaction. */
  readonly locksRows: boolean;
}
