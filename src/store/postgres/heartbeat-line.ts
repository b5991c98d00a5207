import type { Heartbeat, HeartbeatReply } from '../heartbeat.js';
import { beatWorker } from '../sql/workers.js';
import type { WorkerIdentity } from '../unit.js';
import type { Patience } from './patience.js';
import { PostgresConnection } from './postgres-connection.js';
import { isConnectionLost, postgresFailure } from './postgres-failure.js';
import { PostgresTransaction } from './postgres-transaction.js';
import type { DatabaseAddress } from './store-url.js';

// A server that has not answered by then is tried over another connection: an agent's life depends on it.
const answerTimeoutMs = 10_000;

/**
 * A connection for heartbeats alone. Whatever stands in line to be written or read, a heartbeat waits for one transaction at
 * most: the one that has this worker's row at that moment.
 */
export class HeartbeatLine implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #worker: WorkerIdentity;
  readonly #patience: Patience;
  #connection: PostgresConnection | undefined;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    readonly address: DatabaseAddress;
    readonly worker: WorkerIdentity;
    readonly patience: Patience;
  }) {
    this.#address = parts.address;
    this.#worker = parts.worker;
    this.#patience = parts.patience;
  }

  async beat(heartbeat: Heartbeat): Promise<HeartbeatReply> {
    const beaten = this.#busy.then(async () => await this.#patience.keep(() => this.#send(heartbeat)));
    this.#busy = beaten.catch(() => {});
    try {
      return await beaten;
    } catch (error) {
      throw postgresFailure(error, this.#address.place);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#busy;
    await this.#connection?.[Symbol.asyncDispose]();
  }

  async #send(heartbeat: Heartbeat): Promise<HeartbeatReply> {
    if (!this.#connection?.isOpen)
      this.#connection = await PostgresConnection.open(this.#address, { answerTimeoutMs });
    const connection = this.#connection;
    try {
      const steps = beatWorker(new PostgresTransaction(this.#worker), { do: 'beatWorker', ...heartbeat });
      const { changed, isDraining } = await connection.drive(steps);
      return changed === 0 ? null : { isDraining };
    } catch (error) {
      if (isConnectionLost(error)) connection.abandon();
      throw error;
    }
  }
}
