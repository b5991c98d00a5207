import { errorSentence } from '../../protocol/error-sentence.js';
import type { Change } from '../change.js';
import { apply } from '../sql/apply.js';
import { lostLease } from '../sql/leases.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { CommitResult, Refusal, Unit, WorkerIdentity } from '../unit.js';
import type { Patience } from './patience.js';
import { PostgresConnection } from './postgres-connection.js';
import {
  isConnectionLost,
  isInterference,
  isServerTrouble,
  postgresErrorCode,
  postgresFailure,
} from './postgres-failure.js';
import { PostgresTransaction } from './postgres-transaction.js';
import type { DatabaseAddress } from './store-url.js';

/** What became of a unit: its result with what it changed, or the error it died of. */
type Applied =
  | { readonly result: CommitResult; readonly changes: readonly Change[] }
  | { readonly error: unknown };

interface Waiting {
  readonly unit: Unit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** A transaction that was sent to be committed; until the server answers, nobody knows whether it is. */
interface Sent {
  readonly commits: number;
  readonly applied: readonly Applied[];
}

const largestGroup = 100;
const mostTries = 10;

// A worker that is cut off in the middle would keep its rows locked for hours.
const begin = "begin; set local idle_in_transaction_session_timeout = '10s'; set local lock_timeout = '20s'";
// One statement that fences (an older life of this worker changes nothing any more) and counts.
const enter = 'update workers set commits = commits + 1 where id = $1 and epoch = $2 returning commits';
// The count tells whether a transaction of which nobody answered was committed; one that still runs is waited for. Its own
// number would not: after a crash the server may give the number of a lost transaction to another one.
const counted = 'select commits from workers where id = $1 and epoch = $2 for update';

// Locked, so that nobody takes the thread over in the middle of the unit.
const owner = 'select worker_id from threads where id = $1 for update';

/**
 * Writes units one after the other, those that wait together in one transaction, over one connection. A connection that
 * is lost is replaced: what was not sent to be committed is done again, and of what was the server is asked whether it is.
 */
export class UnitWriter implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #worker: WorkerIdentity;
  readonly #patience: Patience;
  readonly #committed: (changes: readonly Change[], commits: number) => void;
  #connection: PostgresConnection | undefined;
  #line: Waiting[] = [];
  #working: Promise<void> | null = null;

  constructor(options: {
    readonly address: DatabaseAddress;
    readonly connection: PostgresConnection;
    readonly worker: WorkerIdentity;
    readonly patience: Patience;
    /** Hears of every commit, before whoever asked for it. */
    readonly committed: (changes: readonly Change[], commits: number) => void;
  }) {
    this.#address = options.address;
    this.#connection = options.connection;
    this.#worker = options.worker;
    this.#patience = options.patience;
    this.#committed = options.committed;
  }

  async commit(unit: Unit): Promise<CommitResult> {
    return await new Promise((resolve, reject) => {
      this.#line.push({ unit, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Finishes what waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#working;
    await this.#connection?.[Symbol.asyncDispose]();
  }

  async #work(): Promise<void> {
    // What is asked for in one turn of the event loop belongs into one transaction.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    while (this.#line.length > 0) await this.#write(this.#line.splice(0, largestGroup));
    this.#working = null;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const applied = await this.#persist(group.map(({ unit }) => unit));
      for (const [index, waiting] of group.entries()) this.#tell(waiting, applied[index]);
    } catch (error) {
      const [only, ...others] = group;
      if (isInterference(error) && others.length > 0) for (const each of group) await this.#write([each]);
      else
        for (const { reject } of only ? [only, ...others] : [])
          reject(postgresFailure(error, this.#address.place));
    }
  }

  #tell({ resolve, reject }: Waiting, applied: Applied | undefined): void {
    if (applied && 'result' in applied) resolve(applied.result);
    else reject(postgresFailure(applied?.error, this.#address.place));
  }

  /** Until it is known whether the units are committed. */
  async #persist(units: readonly Unit[]): Promise<readonly Applied[]> {
    let unknown: Sent | undefined;
    let tries = 0;
    return await this.#patience.keep(async () => {
      for (;;) {
        const connection = await this.#connected();
        if (unknown && (await this.#isCommitted(connection, unknown))) return this.#publish(unknown);
        unknown = undefined;
        try {
          return await this.#transaction(connection, units, (sent) => {
            unknown = sent;
          });
        } catch (error) {
          if (isConnectionLost(error)) connection.abandon();
          tries += 1;
          if (!isInterference(error) || units.length > 1 || tries >= mostTries) throw error;
        }
      }
    });
  }

  async #connected(): Promise<PostgresConnection> {
    if (!this.#connection?.isOpen) this.#connection = await PostgresConnection.open(this.#address);
    return this.#connection;
  }

  async #transaction(
    connection: PostgresConnection,
    units: readonly Unit[],
    sending: (sent: Sent) => void,
  ): Promise<readonly Applied[]> {
    await connection.query(begin);
    try {
      const { rows } = await connection.query(enter, [this.#worker.id, this.#worker.epoch]);
      const [entered] = rows;
      if (entered === undefined) {
        const refusal = await this.#superseded(connection);
        await connection.query('rollback');
        return units.map(() => refused(refusal));
      }
      const { commits } = Object(entered);
      const applied: Applied[] = [];
      for (const unit of units) applied.push(await this.#apply(connection, unit));
      const sent = { commits: Number(commits), applied };
      sending(sent);
      await connection.query('commit');
      return this.#publish(sent);
    } catch (error) {
      if (connection.isOpen && !isConnectionLost(error)) await connection.query('rollback');
      throw error;
    }
  }

  #publish({ applied, commits }: Sent): readonly Applied[] {
    this.#committed(
      applied.flatMap((each) => ('result' in each ? each.changes : [])),
      commits,
    );
    return applied;
  }

  /** Does a unit, or nothing of it; throws what ends the whole transaction. */
  async #apply(connection: PostgresConnection, unit: Unit): Promise<Applied> {
    // A name or a key that another worker took meanwhile is found when one looks again.
    const applied = await this.#attempt(connection, unit);
    return 'error' in applied && isTaken(applied.error)
      ? this.#outcome(await this.#attempt(connection, unit))
      : this.#outcome(applied);
  }

  #outcome(applied: Applied & { readonly operation?: number }): Applied {
    if (!('error' in applied)) return applied;
    const refusal = refusalOf(applied.error, applied.operation ?? 0);
    return refusal ? refused(refusal) : applied;
  }

  async #attempt(
    connection: PostgresConnection,
    unit: Unit,
  ): Promise<Applied & { readonly operation?: number }> {
    const tx = new PostgresTransaction(this.#worker);
    const results: unknown[] = [];
    await connection.query('savepoint unit');
    try {
      const fenced = await this.#fence(connection, tx, unit);
      if (!fenced) {
        for (const operation of unit.operations) results.push(await connection.drive(apply(tx, operation)));
        await connection.query('release unit');
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one result per operation, in order
        return { result: { committed: true, results } as CommitResult, changes: tx.changes };
      }
      await connection.query('rollback to unit');
      return refused(fenced);
    } catch (error) {
      if (isConnectionLost(error) || isInterference(error) || isServerTrouble(error)) throw error;
      await connection.query('rollback to unit');
      return { error, operation: results.length };
    }
  }

  async #fence(
    connection: PostgresConnection,
    tx: PostgresTransaction,
    { worker, lease, own }: Unit,
  ): Promise<Refusal | undefined> {
    if (worker && (worker.id !== this.#worker.id || worker.epoch !== this.#worker.epoch))
      return { because: 'superseded', epoch: this.#worker.epoch };
    if (own !== undefined) {
      const { rows } = await connection.query(owner, [own]);
      // A thread that is not there is for the operations to refuse.
      if (rows.length > 0 && Object(rows[0]).worker_id !== this.#worker.id)
        return { because: 'foreign', threadId: own };
    }
    const lost = lease && (await connection.drive(lostLease(tx, lease)));
    return lost && { because: 'lease_lost', ...lost };
  }

  async #isCommitted(connection: PostgresConnection, { commits }: Sent): Promise<boolean> {
    const { rows } = await connection.query(counted, [this.#worker.id, this.#worker.epoch]);
    return rows.length > 0 && Number(Object(rows[0]).commits) >= commits;
  }

  async #superseded(connection: PostgresConnection): Promise<Refusal> {
    const { rows } = await connection.query('select epoch from workers where id = $1', [this.#worker.id]);
    return { because: 'superseded', epoch: Number(Object(rows[0]).epoch ?? this.#worker.epoch) };
  }
}

function refused(refusal: Refusal): Applied {
  return { result: { committed: false, refusal }, changes: [] };
}

function isTaken(error: unknown): boolean {
  return postgresErrorCode(error) === '23505';
}

function refusalOf(error: unknown, operation: number): Refusal | undefined {
  if (error instanceof UnitRefused)
    return error.current
      ? { because: 'condition', operation, current: error.current }
      : { because: 'missing', operation };
  if (!postgresErrorCode(error).startsWith('23')) return undefined;
  return { because: 'conflict', operation, detail: errorSentence(error) };
}
