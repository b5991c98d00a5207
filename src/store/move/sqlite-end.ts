import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../protocol/failure.js';
import type { Value } from '../sql/steps.js';
import { SqliteConnection } from '../sqlite/connection.js';
import { migrate } from '../sqlite/migrate.js';
import { sqliteFailure } from '../sqlite/sqlite-failure.js';
import { syncPath } from '../sqlite/sync-path.js';
import type { FoundText, MovedRow, TargetEnd } from './store-end.js';

/** A store in a file, which is this one's alone: a worker that runs holds it, and is refused as long as it is held here. */
export class SqliteEnd implements TargetEnd {
  readonly place: string;
  readonly placeholder = () => '?';
  readonly #file: string;
  readonly #connection: SqliteConnection;
  #isOpen = true;

  private constructor(place: string, file: string, connection: SqliteConnection) {
    this.place = place;
    this.#file = file;
    this.#connection = connection;
  }

  static async openSource(file: string): Promise<SqliteEnd> {
    if (!existsSync(file)) throw new Failure('missing_file', `There is no store at ${file}.`);
    return await open(file, (connection) => new SqliteEnd(file, file, connection));
  }

  /** Everything is written beside the file, and put in its place at the end. */
  static async openTarget(file: string): Promise<SqliteEnd> {
    if (statSync(file, { throwIfNoEntry: false })?.size)
      throw new Failure(
        'conflict',
        `${file} is not empty, and stays as it is. Name a file that is not there.`,
      );
    const beside = `${file}.moving`;
    for (const each of [beside, `${beside}-wal`]) rmSync(each, { force: true });
    create(beside);
    const end = await open(beside, (connection) => new SqliteEnd(file, beside, connection));
    end.#connection.exec('begin immediate');
    return end;
  }

  async rows(sql: string, values: readonly Value[] = []): Promise<readonly MovedRow[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our columns are text, numbers and nulls
    return this.#connection.prepare(sql).all(values as readonly (string | number | null)[]) as MovedRow[];
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const rows = await this.rows('select name from pragma_table_info(?)', [table]);
    return rows.map(({ name }) => String(name));
  }

  async insert(table: string, columns: readonly string[], rows: readonly MovedRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const insert = this.#connection.prepare(
      `insert into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) insert.run(columns.map((column) => row[column] ?? null));
  }

  async addTexts(texts: readonly FoundText[]): Promise<void> {
    const place = this.#connection.prepare('insert into search_texts (thread_id, seq) values (?, ?)');
    const words = this.#connection.prepare(
      'insert into search_index (rowid, text) values (last_insert_rowid(), ?)',
    );
    for (const { threadId, seq, text } of texts) {
      place.run([threadId, seq]);
      words.run([text]);
    }
  }

  async finish(): Promise<void> {
    this.#connection.exec('commit');
    // Everything is in the one file then, which can be moved.
    this.#connection.exec('pragma journal_mode = delete');
    await this[Symbol.asyncDispose]();
    syncPath(this.#file);
    renameSync(this.#file, this.place);
    syncPath(dirname(this.place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const isHalf = this.#connection.inTransaction;
    this.#connection.close();
    if (isHalf) for (const each of [this.#file, `${this.#file}-wal`]) rmSync(each, { force: true });
  }
}

async function open(file: string, make: (connection: SqliteConnection) => SqliteEnd): Promise<SqliteEnd> {
  try {
    const connection = new SqliteConnection(file);
    await migrate(connection, file);
    return make(connection);
  } catch (error) {
    throw sqliteFailure(error, file);
  }
}

/** Empty, and nobody else's. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    throw sqliteFailure(error, file);
  }
}
