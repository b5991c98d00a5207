import { Kysely, SqliteDialect as KyselySqlite, type RawBuilder, sql } from 'kysely';
import Database from 'libsql';
import type { Reader } from '../sql/reader.js';
import type { Schema } from '../sql/schema.js';
import type { Statement, StatementReply, Steps } from '../sql/steps.js';
import { SqliteDialect } from './sqlite-dialect.js';

type Value = string | number | null;

/** A statement that was prepared once; for the paths where compiling a query each time would show. */
interface Prepared {
  run(values: readonly Value[]): { changes: number };
  all(values: readonly Value[]): unknown[];
}

/**
 * The one connection to the file. Queries are built and typed by kysely but run here, synchronously: a transaction
 * that could be interrupted by another request's query would not be one.
 */
export class SqliteConnection implements Reader {
  readonly build: Kysely<Schema>;
  readonly dialect = new SqliteDialect();
  /** Nobody else writes the file. */
  readonly locksRows = false;
  readonly ownerColumns = {};
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, Prepared>();
  readonly #numbers = new Map<string, Database.Statement>();

  constructor(file: string) {
    this.#database = new Database(file);
    this.build = new Kysely<Schema>({ dialect: new KyselySqlite({ database: this.#database }) });
    // Exclusive before anything else touches the file: then the WAL index lives in memory, and a second worker
    // is turned away at its first statement.
    this.#database.pragma('locking_mode = EXCLUSIVE');
    this.#database.pragma('journal_mode = WAL');
    // NORMAL syncs at checkpoints only; FULL syncs each commit before it is acknowledged.
    this.#database.pragma('synchronous = FULL');
    this.#database.pragma('foreign_keys = ON');
    this.#database.exec('begin immediate; commit');
  }

  isOwnThread(): RawBuilder<boolean> {
    return sql`true`;
  }

  isOwnRow(): RawBuilder<boolean> {
    return sql`true`;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Does all steps, each at once. */
  drive<Result>(steps: Steps<Result>): Result {
    let step = steps.next();
    while (step.done !== true) step = steps.next(this.#execute(step.value));
    return step.value;
  }

  #execute({ sql, parameters, wants }: Statement): StatementReply {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no statement for SQLite has a list among its values
    const values = parameters as readonly Value[];
    const statement = this.prepare(sql);
    if (wants === 'rows') return { rows: statement.all(values), changed: 0 };
    return { rows: [], changed: statement.run(values).changes };
  }

  prepare(sql: string): Prepared {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** The one number that a statement selects; a third of the cost of `all`, which fetches rows by the hundred. */
  number(sql: string, values: readonly Value[]): number | undefined {
    let statement = this.#numbers.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql).raw();
      this.#numbers.set(sql, statement);
    }
    const row = statement.get(values);
    return Array.isArray(row) && row.length > 0 ? Number(row[0]) : undefined;
  }

  /** Writes the file anew without what was removed. */
  compact(): void {
    this.#database.exec('vacuum');
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#prepared.clear();
    this.#numbers.clear();
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // On a full disk the log cannot be folded into the file; it stays beside it, and the next opening reads it.
    }
    this.#database.close();
  }
}
