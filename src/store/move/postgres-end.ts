import { Failure } from '../../protocol/failure.js';
import { migratePostgres } from '../postgres/migrate.js';
import { PostgresConnection } from '../postgres/postgres-connection.js';
import { postgresFailure } from '../postgres/postgres-failure.js';
import { entryLock } from '../postgres/postgres-store.js';
import { searchVector } from '../postgres/search-vector.js';
import { readStoreUrl } from '../postgres/store-url.js';
import type { Value } from '../sql/steps.js';
import { movedTables } from './moved-table.js';
import type { FoundText, MovedRow, TargetEnd } from './store-end.js';

const insertTexts = `
  insert into search_texts (thread_id, seq, words)
  select thread_id, seq, words::tsvector from unnest($1::text[], $2::integer[], $3::text[]) as found (thread_id, seq, words)`;

// Seen by every user of the server, whoever the worker logs in as.
const connectedWorkers = `
  select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and application_name = 'handraise' and pid <> pg_backend_pid()`;

/** A store in PostgreSQL, in one transaction; no worker can begin a life there until it has ended. */
export class PostgresEnd implements TargetEnd {
  readonly place: string;
  readonly placeholder = (number: number) => `$${number}`;
  readonly #connection: PostgresConnection;

  private constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.place = connection.place;
  }

  static async open(url: string): Promise<PostgresEnd> {
    const address = readStoreUrl(url);
    const connection = await PostgresConnection.open(address);
    try {
      await migratePostgres(connection);
      await connection.query('begin isolation level repeatable read');
      await connection.query('select pg_advisory_xact_lock($1)', [entryLock]);
      const { rows } = await connection.query(connectedWorkers);
      if (Number(Object(rows[0]).count) > 0)
        throw new Failure(
          'home_busy',
          `A worker is connected to ${address.place}. Stop all of its workers with "handraise down" first.`,
        );
      return new PostgresEnd(connection);
    } catch (error) {
      connection.abandon();
      throw error instanceof Failure ? error : postgresFailure(error, address.place);
    }
  }

  async rows(sql: string, values: readonly Value[] = []): Promise<readonly MovedRow[]> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our columns are text, numbers and nulls
      return (await this.#connection.query(sql, values)).rows as readonly MovedRow[];
    } catch (error) {
      throw postgresFailure(error, this.place);
    }
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const rows = await this.rows(
      'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1',
      [table],
    );
    return rows.map(({ name }) => String(name));
  }

  async insert(table: string, columns: readonly string[], rows: readonly MovedRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const records = rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column, storable(row[column] ?? null)])),
    );
    await this.rows(
      `insert into ${table} (${names}) overriding system value
        select ${names} from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(records)],
    );
  }

  async addTexts(texts: readonly FoundText[]): Promise<void> {
    await this.rows(insertTexts, [
      texts.map(({ threadId }) => threadId),
      texts.map(({ seq }) => seq),
      texts.map(({ text }) => searchVector(text)),
    ]);
  }

  async finish(): Promise<void> {
    for (const { name, key } of movedTables) {
      if (key[0] !== 'n') continue;
      await this.rows(
        `select setval(pg_get_serial_sequence('${name}', 'n'), coalesce(max(n), 1), max(n) is not null) from ${name}`,
      );
    }
    await this.rows('commit');
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}

// No text of PostgreSQL holds a NUL, or half a surrogate pair.
function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? Buffer.from(value.replaceAll('\0', '\ufffd')).toString() : value;
}
