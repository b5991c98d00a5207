import { errorSentence } from '../../protocol/error-sentence.js';
import type { Change } from '../change.js';
import type { Operation } from '../operation.js';
import { apply } from '../sql/apply.js';
import { DispatchRows } from '../sql/dispatch-rows.js';
import { claimDispatches, lostLease } from '../sql/leases.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { CommitResult, Refusal, Unit, WorkerIdentity } from '../unit.js';
import { changesOfOwner } from './changes-of-owner.js';
import type { PostgresConnection } from './postgres-connection.js';
import { isConnectionLost, isInterference, isServerTrouble, postgresErrorCode } from './postgres-failure.js';
import { PostgresTransaction } from './postgres-transaction.js';

/** What became of a unit: its result with what it changed, or the error it died of. */
export type AppliedUnit =
  | {
      readonly result: CommitResult;
      readonly changes: readonly Change[];
      /** Those of them that concern nobody but this worker and whoever looks on. */
      readonly ofOwner?: readonly Change[];
    }
  | { readonly error: unknown };

interface Claim {
  readonly index: number;
  readonly operation: Operation<'claimDispatches'>;
}

// Locked, so that nobody takes a thread over in the middle of a unit.
const owners = 'select id, worker_id from threads where id = any($1::text[]) order by id for update';

/**
 * Units that share a transaction. Together they read at once what they are fenced by, take work in one statement, and write at
 * the end what became of dispatches; one that is refused after it wrote something spoils that, and then each has a savepoint.
 */
export class UnitGroup {
  readonly #connection: PostgresConnection;
  readonly #worker: WorkerIdentity;
  readonly #units: readonly Unit[];

  constructor(parts: {
    readonly connection: PostgresConnection;
    readonly worker: WorkerIdentity;
    readonly units: readonly Unit[];
  }) {
    this.#connection = parts.connection;
    this.#worker = parts.worker;
    this.#units = parts.units;
  }

  get size(): number {
    return this.#units.length;
  }

  /** Asks for what all units are fenced by; the transaction may still be on its way to begin. */
  prepare(): PreparedGroup {
    const rows = new DispatchRows();
    const tx = new PostgresTransaction(this.#worker, rows);
    const threads = this.#units.flatMap(({ own }) => own ?? []);
    const dispatches = this.#units.flatMap(({ lease }) => lease?.dispatchId ?? []);
    const reading = Promise.all([
      threads.length === 0 ? null : this.#connection.query(owners, [[...new Set(threads)]]),
      this.#connection.drive(rows.readAll(tx, dispatches)),
    ]);
    return { tx, reading };
  }

  /** Does all units, and gives what is still to be written before the commit; throws where one of them has to be taken back alone. */
  async together({ tx, reading }: PreparedGroup): Promise<readonly AppliedUnit[]> {
    const [owned] = await reading;
    const ownerOf = new Map(
      (owned?.rows ?? []).map((row) => [String(Object(row).id), String(Object(row).worker_id)]),
    );
    const applied: AppliedUnit[] = [];
    const claims: Claim[] = [];
    // Nobody has heard of any of these yet, so they may have come in this order as well.
    for (const [index, unit] of this.#units.entries()) {
      const operation = this.#loneClaim(unit);
      if (operation) claims.push({ index, operation });
      else applied[index] = await this.#apply(tx, unit, ownerOf);
    }
    for (const [index, result] of await this.#claim(tx, claims)) applied[index] = result;
    return applied;
  }

  /** Does all units, each with a savepoint of its own. */
  async oneByOne(): Promise<readonly AppliedUnit[]> {
    const applied: AppliedUnit[] = [];
    for (const unit of this.#units) {
      const first = await this.#attempt(unit);
      // A name or a key that another worker took meanwhile is found when one looks again.
      const last = 'error' in first && isTaken(first.error) ? await this.#attempt(unit) : first;
      applied.push(outcome(last));
    }
    return applied;
  }

  async #apply(
    tx: PostgresTransaction,
    unit: Unit,
    ownerOf: ReadonlyMap<string, string>,
  ): Promise<AppliedUnit> {
    const before = tx.changes.length;
    const results: unknown[] = [];
    tx.dispatches.mark();
    try {
      const fenced = await this.#fence(tx, unit, ownerOf);
      if (fenced) return refused(fenced);
      for (const operation of unit.operations) results.push(await this.#drive(tx, operation));
      const changes = tx.changes.slice(before);
      return { result: committed(results), changes, ofOwner: changesOfOwner(unit, changes) };
    } catch (error) {
      if (!(error instanceof UnitRefused) || tx.dispatches.hasWritten) throw error;
      tx.changes.length = before;
      return outcome({ error, operation: results.length });
    }
  }

  /** One claim for as much as all ask for, handed out in the order in which they asked. */
  async #claim(
    tx: PostgresTransaction,
    claims: readonly Claim[],
  ): Promise<readonly (readonly [number, AppliedUnit])[]> {
    const [first, ...others] = claims;
    if (!first) return [];
    const operation = others.reduce(
      (sum, { operation: { limit, now, until } }) => ({
        ...sum,
        limit: sum.limit + limit,
        now: now < sum.now ? now : sum.now,
        until: until < sum.until ? until : sum.until,
      }),
      first.operation,
    );
    const before = tx.changes.length;
    const taken = await this.#connection.drive(tx.dispatches.around(tx, claimDispatches(tx, operation)));
    let given = 0;
    return claims.map(({ index, operation: { limit } }) => {
      const own = taken.slice(given, given + limit);
      const changes = given === 0 ? tx.changes.slice(before) : [];
      given += limit;
      return [index, { result: committed([own]), changes, ofOwner: changes }] as const;
    });
  }

  #loneClaim({ operations, lease, own, worker }: Unit): Operation<'claimDispatches'> | undefined {
    const [operation, ...others] = operations;
    const isFenced = lease !== undefined || own !== undefined || worker !== undefined;
    if (operation?.do !== 'claimDispatches' || others.length > 0 || isFenced) return undefined;
    return operation.including === undefined ? operation : undefined;
  }

  async #attempt(unit: Unit): Promise<AppliedUnit & { readonly operation?: number }> {
    const connection = this.#connection;
    const tx = new PostgresTransaction(this.#worker);
    const results: unknown[] = [];
    await connection.query('savepoint unit');
    try {
      const { rows } = await connection.query(owners, [unit.own === undefined ? [] : [unit.own]]);
      const ownerOf = new Map(rows.map((row) => [String(Object(row).id), String(Object(row).worker_id)]));
      const fenced = await this.#fence(tx, unit, ownerOf);
      if (!fenced) {
        for (const operation of unit.operations) results.push(await this.#drive(tx, operation));
        await connection.drive(tx.dispatches.write(tx));
        await connection.query('release unit');
        const { changes } = tx;
        return { result: committed(results), changes, ofOwner: changesOfOwner(unit, changes) };
      }
      await connection.query('rollback to unit');
      return refused(fenced);
    } catch (error) {
      if (endsAll(error)) throw error;
      await connection.query('rollback to unit');
      return { error, operation: results.length };
    }
  }

  async #drive(tx: PostgresTransaction, operation: Operation): Promise<unknown> {
    return await this.#connection.drive(tx.dispatches.around(tx, apply(tx, operation)));
  }

  async #fence(
    tx: PostgresTransaction,
    { worker, lease, own }: Unit,
    ownerOf: ReadonlyMap<string, string>,
  ): Promise<Refusal | undefined> {
    if (worker && (worker.id !== this.#worker.id || worker.epoch !== this.#worker.epoch))
      return { because: 'superseded', epoch: this.#worker.epoch };
    // A thread that is not there is for the operations to refuse.
    if (own !== undefined && (ownerOf.get(own) ?? this.#worker.id) !== this.#worker.id)
      return { because: 'foreign', threadId: own };
    const lost = lease && (await this.#connection.drive(tx.dispatches.around(tx, lostLease(tx, lease))));
    return lost && { because: 'lease_lost', ...lost };
  }
}

/** A transaction with what its units are fenced by, which is on its way. */
export interface PreparedGroup {
  readonly tx: PostgresTransaction;
  readonly reading: Promise<readonly [{ readonly rows: readonly unknown[] } | null, void]>;
}

/** Whether no unit of a transaction can be done now, as opposed to one of them. */
export function endsAll(error: unknown): boolean {
  return isConnectionLost(error) || isInterference(error) || isServerTrouble(error);
}

function outcome(applied: AppliedUnit & { readonly operation?: number }): AppliedUnit {
  if (!('error' in applied)) return applied;
  const refusal = refusalOf(applied.error, applied.operation ?? 0);
  return refusal ? refused(refusal) : applied;
}

function committed(results: readonly unknown[]): CommitResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one result per operation, in order
  return { committed: true, results } as CommitResult;
}

/** Every unit of a transaction is refused for one reason, or this one is. */
export function refused(refusal: Refusal): AppliedUnit {
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
