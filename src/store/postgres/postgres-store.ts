import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Change, ChangeFilter, ChangeOrigin } from '../change.js';
import type { Heartbeat, HeartbeatReply } from '../heartbeat.js';
import type { Operation } from '../operation.js';
import type { AnswerTo, InputOf, Query, QueryName } from '../query.js';
import { readQuery } from '../sql/read.js';
import { enterWorker, type OpeningWorker } from '../sql/workers.js';
import type { Store } from '../store.js';
import { Subscription } from '../subscription.js';
import type { CommitResult, Unit, WorkerIdentity } from '../unit.js';
import { ChangeWire } from './change-wire.js';
import { HeartbeatLine } from './heartbeat-line.js';
import { expectKnownSchema, migratePostgres } from './migrate.js';
import { Patience } from './patience.js';
import { PostgresConnection } from './postgres-connection.js';
import { postgresFailure } from './postgres-failure.js';
import { PostgresReader } from './postgres-reader.js';
import { ReadingLanes } from './reading-lanes.js';
import { readStandbys, standbyWarning } from './standbys.js';
import { type DatabaseAddress, readStoreUrl } from './store-url.js';
import { openWriter, UnitWriter } from './unit-writer.js';

// Long enough for a restart or a failover of the server.
const patienceMs = 60_000;
// As often as a worker says that it lives: what took longer is said again.
const heartbeatPatienceMs = 10_000;
// Two lives of one worker that begin at once get one epoch each.
export const entryLock = 4_761_951;

interface PostgresStoreParts {
  readonly address: DatabaseAddress;
  readonly worker: WorkerIdentity;
  readonly connection: PostgresConnection;
}

/** What the store is opened with. */
export interface PostgresStart {
  readonly url: string;
  readonly worker: OpeningWorker;
  /** Hears what the server's settings put at risk. */
  readonly warn?: (sentence: string) => void;
}

/** The store in a PostgreSQL database, which several workers share. */
export class PostgresStore implements Store {
  readonly worker: WorkerIdentity;
  readonly isShared = true;
  readonly #reader: PostgresReader;
  readonly #address: DatabaseAddress;
  readonly #writer: UnitWriter;
  readonly #lanes: ReadingLanes;
  readonly #wire: ChangeWire;
  readonly #heartbeats: HeartbeatLine;
  readonly #subscriptions = new Set<Subscription>();
  readonly #givenUp = new AbortController();
  #closing: Promise<void> | null = null;

  private constructor({ address, worker, connection }: PostgresStoreParts) {
    const patience = new Patience({ limitMs: patienceMs, givenUp: this.#givenUp.signal });
    this.worker = worker;
    this.#heartbeats = new HeartbeatLine({
      address,
      worker,
      patience: new Patience({ limitMs: heartbeatPatienceMs, givenUp: this.#givenUp.signal }),
    });
    this.#reader = new PostgresReader(worker.id);
    this.#address = address;
    this.#lanes = new ReadingLanes(address, patience);
    this.#wire = new ChangeWire({
      address,
      self: worker,
      hear: (changes) => this.#publish(changes, 'others'),
      miss: () => this.#miss(),
      look: () => this.#look(),
    });
    this.#writer = new UnitWriter({
      address,
      connection,
      worker,
      patience,
      committed: (done) => {
        this.#publish(done.changes, 'self');
        this.#wire.tell(done);
      },
    });
  }

  /** Opens the database with this program's schema, made where it is empty, and begins a new life of the worker. */
  static async open({ url, worker, warn }: PostgresStart): Promise<PostgresStore> {
    const address = readStoreUrl(url);
    const connection = await openWriter(address);
    try {
      const warning = standbyWarning(await readStandbys(connection, address.servers.length));
      if (warning !== null) warn?.(warning);
      await migratePostgres(connection);
      const identity = await connection.transaction(async () => {
        await connection.query('select pg_advisory_xact_lock($1)', [entryLock]);
        // Somebody newer may have changed it since.
        await expectKnownSchema(connection);
        return await connection.drive(enterWorker(new PostgresReader(worker.id), worker));
      });
      const store = new PostgresStore({ address, worker: identity, connection });
      await store.#wire.open();
      return store;
    } catch (error) {
      connection.abandon();
      throw postgresFailure(error, address.place);
    }
  }

  async commit<const Operations extends readonly Operation[]>(
    unit: Unit<Operations>,
  ): Promise<CommitResult<Operations>> {
    this.#expectOpen();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the writer answers in the unit's own order
    return (await this.#writer.commit(unit)) as CommitResult<Operations>;
  }

  async query<Name extends QueryName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    this.#expectOpen();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pair of name and input is the union's member
    const query = { ask: name, input } as unknown as Query;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reader answers what was asked
    return (await this.#lanes.ask(() => readQuery(this.#reader, query))) as AnswerTo<Name>;
  }

  async beat(heartbeat: Heartbeat): Promise<HeartbeatReply> {
    this.#expectOpen();
    return await this.#heartbeats.beat(heartbeat);
  }

  subscribe({ capacity, ...filter }: ChangeFilter & { readonly capacity?: number } = {}): Subscription {
    const subscription = new Subscription({
      filter,
      ...given({ capacity }),
      onClose: (closed) => {
        this.#subscriptions.delete(closed);
        this.#watch();
      },
    });
    if (this.#closing) subscription.close();
    else this.#subscriptions.add(subscription);
    this.#watch();
    return subscription;
  }

  /** The server gives the room of removed rows to new ones by itself; this only makes it do so now. */
  async compact(): Promise<void> {
    this.#expectOpen();
    await using connection = await PostgresConnection.open(this.#address);
    try {
      await connection.query('vacuum (analyze, skip_locked)');
    } catch (error) {
      throw postgresFailure(error, this.#address.place);
    }
  }

  backup(): Promise<void> {
    return Promise.reject(
      new Failure(
        'config',
        `The work is kept in PostgreSQL (${this.#address.place}). Back it up with pg_dump, or with what your provider offers.`,
      ),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #finish(): Promise<void> {
    // Whoever waits for a server that is gone waits no longer.
    this.#givenUp.abort();
    await this.#writer[Symbol.asyncDispose]();
    await this.#lanes[Symbol.asyncDispose]();
    await this.#heartbeats[Symbol.asyncDispose]();
    await this.#wire[Symbol.asyncDispose]();
    for (const subscription of this.#subscriptions) subscription.close();
  }

  #publish(changes: readonly Change[], origin: ChangeOrigin): void {
    for (const subscription of this.#subscriptions)
      for (const change of changes) subscription.publish(change, origin);
  }

  #miss(): void {
    for (const subscription of this.#subscriptions) subscription.miss();
  }

  /** Others may have done something that concerns this worker. */
  #look(): void {
    for (const subscription of this.#subscriptions) if (subscription.isOfOthers) subscription.miss();
  }

  #watch(): void {
    this.#wire.watch([...this.#subscriptions].some(({ shows }) => shows));
  }

  #expectOpen(): void {
    if (this.#closing) throw new Failure('unavailable', `The store ${this.#address.place} is closed.`);
  }
}
