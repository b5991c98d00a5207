import { errorSentence } from '../../protocol/error-sentence.js';
import type { Change } from '../change.js';
import { apply } from '../sql/apply.js';
import { lostLease } from '../sql/leases.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { CommitResult, Refusal, Unit, WorkerIdentity } from '../unit.js';
import type { SqliteConnection } from './connection.js';
import { SearchTexts } from './search-texts.js';
import { Sequences } from './sequences.js';
import { errorCode } from './sqlite-failure.js';
import { SqliteTransaction } from './sqlite-transaction.js';

/** What became of a unit, to be told once the group is on disk: its result, or the error it died of. */
export type Applied =
  | { readonly result: CommitResult; readonly changes: readonly Change[] }
  | { readonly error: unknown };

// What the database as a whole cannot do now, as opposed to what is wrong with one unit.
const groupErrors =
  /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|READONLY|CANTOPEN|BUSY|LOCKED|PROTOCOL|INTERRUPT|ABORT)/;

/**
 * Many units in one transaction, because a sync costs as much as dozens of them. Each unit has a savepoint: one that
 * is refused or broken is taken back alone. What the database cannot do at all (a full disk) ends the group.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #worker: WorkerIdentity;
  readonly #sequences: Sequences;
  readonly #searchTexts: SearchTexts;
  #units = 0;
  #commits = 0;

  constructor(connection: SqliteConnection, worker: WorkerIdentity) {
    this.#connection = connection;
    this.#worker = worker;
    this.#sequences = new Sequences(connection);
    this.#searchTexts = new SearchTexts(connection);
  }

  get statistics() {
    return { units: this.#units, commits: this.#commits };
  }

  begin(): void {
    this.#connection.exec('begin immediate');
  }

  /** Does a unit inside the open transaction; throws what ends the whole group. */
  apply(unit: Unit): Applied {
    this.#units += 1;
    const sequences = this.#sequences;
    const searchTexts = this.#searchTexts;
    const connection = this.#connection;
    const tx = new SqliteTransaction({ connection, worker: this.#worker, sequences, searchTexts });
    sequences.mark();
    searchTexts.mark();
    this.#connection.exec('savepoint unit');
    const applied = this.#attempt(tx, unit);
    if (!('result' in applied && applied.result.committed)) {
      this.#connection.exec('rollback to unit');
      sequences.rewind();
      searchTexts.rewind();
    }
    this.#connection.exec('release unit');
    return applied;
  }

  commit(): void {
    this.#sequences.write();
    this.#sequences.clear();
    this.#searchTexts.keep();
    this.#connection.exec('commit');
    this.#searchTexts.settle();
    this.#commits += 1;
  }

  /** Whether words that are committed are not in the index yet. */
  get isSearchBehind(): boolean {
    return this.#searchTexts.isBehind;
  }

  /** Brings the index up to date, in a transaction of its own. */
  writeSearchTexts(): void {
    if (!this.#searchTexts.isBehind) return;
    try {
      this.begin();
      this.#searchTexts.write();
      this.#connection.exec('commit');
      this.#searchTexts.settle();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Gives the group up; SQLite may have done so already. */
  rollback(): void {
    this.#sequences.clear();
    this.#searchTexts.rollback();
    if (this.#connection.inTransaction) this.#connection.exec('rollback');
  }

  #attempt(tx: SqliteTransaction, unit: Unit): Applied {
    const results: unknown[] = [];
    try {
      const fenced = this.#fence(tx, unit);
      if (fenced) return refused(fenced);
      for (const operation of unit.operations)
        results.push(tx.connection.drive(tx.dispatches.around(tx, apply(tx, operation))));
      tx.connection.drive(tx.dispatches.write(tx));
    } catch (error) {
      if (groupErrors.test(errorCode(error))) throw error;
      const refusal = refusalOf(error, results.length);
      return refusal ? refused(refusal) : { error };
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one result per operation, in order
    return { result: { committed: true, results } as CommitResult, changes: tx.changes };
  }

  // Only this connection can raise an epoch while it holds the file, so the one it opened with is the current one.
  #fence(tx: SqliteTransaction, { worker, lease }: Unit): Refusal | undefined {
    if (worker && (worker.id !== this.#worker.id || worker.epoch !== this.#worker.epoch)) {
      return { because: 'superseded', epoch: this.#worker.epoch };
    }
    const lost = lease && tx.connection.drive(lostLease(tx, lease));
    return lost && { because: 'lease_lost', ...lost };
  }
}

function refused(refusal: Refusal): Applied {
  return { result: { committed: false, refusal }, changes: [] };
}

function refusalOf(error: unknown, operation: number): Refusal | undefined {
  if (error instanceof UnitRefused) {
    return error.current
      ? { because: 'condition', operation, current: error.current }
      : { because: 'missing', operation };
  }
  if (!errorCode(error).startsWith('SQLITE_CONSTRAINT')) return undefined;
  return { because: 'conflict', operation, detail: errorSentence(error) };
}
