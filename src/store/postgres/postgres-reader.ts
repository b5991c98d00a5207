import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Reader } from '../sql/reader.js';
import type { Schema } from '../sql/schema.js';
import { PostgresDialect } from './postgres-dialect.js';

/** Builds queries and never runs one. */
export const postgresBuild = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export const postgresDialect = new PostgresDialect();

/** Reads what is committed, without holding it. */
export const postgresReader: Reader = { build: postgresBuild, dialect: postgresDialect, locksRows: false };
