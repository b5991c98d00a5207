import type { Selectable } from 'kysely';
import type { DispatchRow } from './schema.js';
import type { Statement, Steps } from './steps.js';
import type { Transaction } from './transaction.js';

type Row = Selectable<DispatchRow>;
type Columns = Partial<Omit<Row, 'n' | 'id'>>;

const namesTable = new Map<string, boolean>();
const changesSomething = /^\s*(?!select\b)/i;

/**
 * The rows of dispatches that a transaction has read by their ids, as they will be. A lease that is checked, a dispatch that
 * ends and a lease that is let go of are one row read and one row written, and those of several units are written together.
 * Before any other statement that names the table everything is written, so that nothing can tell the difference.
 */
export class DispatchRows {
  readonly #known = new Map<string, Row | null>();
  readonly #unwritten = new Map<string, Columns>();
  #hasWritten = false;

  /** Whether anything was changed since `mark`. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** A unit begins. */
  mark(): void {
    this.#hasWritten = false;
  }

  *read(tx: Transaction, id: string): Steps<Row | undefined> {
    if (!this.#known.has(id)) yield* this.readAll(tx, [id]);
    return this.#known.get(id) ?? undefined;
  }

  /** Reads rows that are going to be asked for, and locks them where others write too. */
  *readAll(tx: Transaction, ids: readonly string[]): Steps<void> {
    const asked = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (asked.length === 0) return;
    for (const id of asked) this.#known.set(id, null);
    for (const statement of tx.dialect.rowsById(asked)) {
      const { rows } = yield { ...statement, isOfRows: true };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whole rows of the table, from our schema
      for (const row of rows as readonly Row[]) this.#known.set(row.id, row);
    }
  }

  /** Changes columns of a row that was read. */
  change(id: string, columns: Columns): void {
    const row = this.#known.get(id);
    if (!row) throw new Error(`${id} was not read in this transaction.`);
    this.#hasWritten = true;
    this.#known.set(id, { ...row, ...columns });
    this.#unwritten.set(id, { ...this.#unwritten.get(id), ...columns });
  }

  /** What is still to be written. */
  takeWrites({ dialect }: Transaction): readonly Statement[] {
    const rows = [...this.#unwritten].map(([id, columns]) => ({ id, columns }));
    this.#unwritten.clear();
    return rows.length === 0
      ? []
      : dialect.changedRows(rows).map((statement) => ({ ...statement, isOfRows: true }));
  }

  *write(tx: Transaction): Steps<void> {
    for (const statement of this.takeWrites(tx)) yield statement;
  }

  /** Does steps that may have other statements about dispatches. */
  *around<Result>(tx: Transaction, steps: Steps<Result>): Steps<Result> {
    let step = steps.next();
    while (step.done !== true) {
      const { value: statement } = step;
      if (statement.isOfRows !== true) {
        this.#hasWritten ||= statement.wants === 'count' || changesSomething.test(statement.sql);
        if (isAboutDispatches(statement.sql)) {
          yield* this.write(tx);
          this.#known.clear();
        }
      }
      step = steps.next(yield statement);
    }
    return step.value;
  }
}

const mostTexts = 1000;

function isAboutDispatches(sql: string): boolean {
  let isAbout = namesTable.get(sql);
  if (isAbout === undefined) {
    isAbout = /\bdispatches\b/.test(sql);
    if (namesTable.size < mostTexts) namesTable.set(sql, isAbout);
  }
  return isAbout;
}
