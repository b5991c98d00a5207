import type { Change } from '../change.js';
import type { CommitResult, Refusal, Unit, WorkerIdentity } from '../unit.js';
import type { Patience } from './patience.js';
import { PostgresConnection } from './postgres-connection.js';
import { isConnectionLost, isInterference, postgresFailure } from './postgres-failure.js';
import type { DatabaseAddress } from './store-url.js';
import { type AppliedUnit, endsAll, refused, UnitGroup } from './unit-group.js';

interface Waiting {
  readonly unit: Unit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (reason: unknown) => void;
}

/** What a transaction has changed, and how many there were with it. */
export interface Committed {
  readonly changes: readonly Change[];
  /** Those of them that concern nobody but this worker and whoever looks on. */
  readonly ofOwner: ReadonlySet<Change>;
  readonly commits: number;
}

/** A transaction that was sent to be committed; until the server answers, nobody knows whether it is. */
interface Sent {
  readonly commits: number;
  readonly applied: readonly AppliedUnit[];
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

// Planning the statement that takes work costs three times what the work does, so that it is planned once. A plan that is kept must
// be right for a table that has grown since: what a unit looks for it finds by an index.
const planOnce = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off';

/** A connection that units are written over. */
export async function openWriter(address: DatabaseAddress): Promise<PostgresConnection> {
  return await PostgresConnection.open(address, { isPipelined: true, session: planOnce });
}

/**
 * Writes units one after the other, those that wait together in one transaction, over one connection. A connection that
 * is lost is replaced: what was not sent to be committed is done again, and of what was the server is asked whether it is.
 */
export class UnitWriter implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #worker: WorkerIdentity;
  readonly #patience: Patience;
  readonly #committed: (done: Committed) => void;
  #connection: PostgresConnection | undefined;
  #line: Waiting[] = [];
  #working: Promise<void> | null = null;

  constructor(options: {
    readonly address: DatabaseAddress;
    readonly connection: PostgresConnection;
    readonly worker: WorkerIdentity;
    readonly patience: Patience;
    /** Hears of every commit, before whoever asked for it. */
    readonly committed: (done: Committed) => void;
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

  #tell({ resolve, reject }: Waiting, applied: AppliedUnit | undefined): void {
    if (applied && 'result' in applied) resolve(applied.result);
    else reject(postgresFailure(applied?.error, this.#address.place));
  }

  /** Until it is known whether the units are committed. */
  async #persist(units: readonly Unit[]): Promise<readonly AppliedUnit[]> {
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
    if (!this.#connection?.isOpen) this.#connection = await openWriter(this.#address);
    return this.#connection;
  }

  async #transaction(
    connection: PostgresConnection,
    units: readonly Unit[],
    sending: (sent: Sent) => void,
  ): Promise<readonly AppliedUnit[]> {
    const group = new UnitGroup({ connection, worker: this.#worker, units });
    try {
      return await this.#together(connection, group, sending);
    } catch (error) {
      if (connection.isOpen && !isConnectionLost(error)) await connection.query('rollback');
      // Whatever it is that one of them died of, the others are done without it.
      if (endsAll(error)) throw error;
    }
    try {
      return await this.#oneByOne(connection, group, sending);
    } catch (error) {
      if (connection.isOpen && !isConnectionLost(error)) await connection.query('rollback');
      throw error;
    }
  }

  /** Nothing is waited for that the next statement does not need. */
  async #together(
    connection: PostgresConnection,
    group: UnitGroup,
    sending: (sent: Sent) => void,
  ): Promise<readonly AppliedUnit[]> {
    const beginning = this.#begin(connection);
    const prepared = group.prepare();
    // Where it cannot begin, that is why nothing can be read either, and not the other way round.
    prepared.reading.catch(() => {});
    const commits = await beginning;
    if (commits === undefined) return await this.#refuseAll(connection, group);
    const applied = await group.together(prepared);
    const writing = prepared.tx.dispatches
      .takeWrites(prepared.tx)
      .map(async ({ sql, parameters }) => await connection.query(sql, parameters));
    return await this.#end(connection, { commits, applied }, { writing, sending });
  }

  async #oneByOne(
    connection: PostgresConnection,
    group: UnitGroup,
    sending: (sent: Sent) => void,
  ): Promise<readonly AppliedUnit[]> {
    const commits = await this.#begin(connection);
    if (commits === undefined) return await this.#refuseAll(connection, group);
    const applied = await group.oneByOne();
    return await this.#end(connection, { commits, applied }, { writing: [], sending });
  }

  /** How many commits there are with this one; undefined where this life of the worker is over. */
  async #begin(connection: PostgresConnection): Promise<number | undefined> {
    const [, { rows }] = await Promise.all([
      connection.query(begin),
      connection.query(enter, [this.#worker.id, this.#worker.epoch]),
    ]);
    return rows.length === 0 ? undefined : Number(Object(rows[0]).commits);
  }

  /** A server that could not do all that was written takes the commit for a rollback. */
  async #end(
    connection: PostgresConnection,
    sent: Sent,
    {
      writing,
      sending,
    }: { readonly writing: readonly Promise<unknown>[]; readonly sending: (sent: Sent) => void },
  ): Promise<readonly AppliedUnit[]> {
    sending(sent);
    await Promise.all([...writing, connection.query('commit')]);
    return this.#publish(sent);
  }

  async #refuseAll(connection: PostgresConnection, { size }: UnitGroup): Promise<readonly AppliedUnit[]> {
    const refusal = await this.#superseded(connection);
    await connection.query('rollback');
    return Array.from({ length: size }, () => refused(refusal));
  }

  #publish({ applied, commits }: Sent): readonly AppliedUnit[] {
    const done = applied.flatMap((each) => ('result' in each ? each : []));
    this.#committed({
      changes: done.flatMap(({ changes }) => changes),
      ofOwner: new Set(done.flatMap(({ ofOwner = [] }) => ofOwner)),
      commits,
    });
    return applied;
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
