import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { SqlDialect } from '../sql/dialect.js';
import type { Reader } from '../sql/reader.js';
import type { Schema } from '../sql/schema.js';
import { PostgresDialect } from './postgres-dialect.js';

/** Builds queries and never runs one. */
const build = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const dialect = new PostgresDialect();

/** Reads what is committed, without holding it, as a worker to whom some of it belongs. */
export class PostgresReader implements Reader {
  readonly build: Kysely<Schema> = build;
  readonly dialect: SqlDialect = dialect;
  readonly locksRows: boolean = false;
  readonly #workerId: string;

  constructor(workerId: string) {
    this.#workerId = workerId;
  }

  get ownerColumns() {
    return { worker_id: this.#workerId };
  }

  isOwnThread(column: string): RawBuilder<boolean> {
    return sql`exists (select 1 from threads as own where own.id = ${sql.ref(column)} and own.worker_id = ${this.#workerId})`;
  }

  isOwnRow(table: string): RawBuilder<boolean> {
    return sql`${sql.ref(`${table}.worker_id`)} = ${this.#workerId}`;
  }
}
