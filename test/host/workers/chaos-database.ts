import { PostgresServer, type ServerPlace } from '../../harness/postgres-server.js';
import type { Machine } from '../../harness/private-network.js';
import { waitUntil } from '../../harness/wait-until.js';

/** A primary and the synchronous standby behind it, which changes its part with it when the primary dies. */
export class ChaosDatabase implements AsyncDisposable {
  readonly name: string;
  #primary: PostgresServer;
  #standby: PostgresServer;
  /** Where both are, in the order in which workers look for them. */
  readonly #places: readonly ServerPlace[];

  private constructor(parts: {
    readonly name: string;
    readonly primary: PostgresServer;
    readonly standby: PostgresServer;
  }) {
    this.name = parts.name;
    this.#primary = parts.primary;
    this.#standby = parts.standby;
    this.#places = [parts.primary.place, parts.standby.place];
  }

  /** On two machines of a private network, or on two ports of this one. */
  static async start(machines?: readonly [Machine, Machine]): Promise<ChaosDatabase> {
    const [first, second] = machines ?? [];
    const primary = await PostgresServer.start([], first && { machine: first });
    const standby = await primary.addStandby({
      isSynchronous: true,
      ...(second && { place: { machine: second } }),
    });
    const database = await primary.createDatabase();
    return new ChaosDatabase({ name: database, primary, standby });
  }

  get ports(): readonly number[] {
    return this.#places.map((place) => ('port' in place ? place.port : 5432));
  }

  /** Where workers find it; each reaches the ports by ways of its own where there is no network. */
  url(ports?: readonly number[]): string {
    const [primary, standby] = [this.#primary, this.#standby];
    const inOrder = primary.place === this.#places[0] ? [primary, standby] : [standby, primary];
    const url = (inOrder[0] ?? primary).url(this.name, undefined, inOrder.slice(1));
    return (ports ?? []).reduce(
      (text, port, index) => text.replace(`:${this.ports[index]}`, `:${port}`),
      url,
    );
  }

  async sql(text: string): Promise<Record<string, unknown>[]> {
    return await this.#primary.sql(text, this.name);
  }

  async crash(): Promise<void> {
    await this.#primary.crash();
  }

  async up(): Promise<void> {
    await this.#primary.up();
  }

  /** The primary dies for good, and its standby goes on in its place. */
  async failOver(): Promise<void> {
    const lost = this.#primary;
    // One that has just begun is not what commits wait for, yet.
    await waitUntil('commits wait for the standby', async () => {
      const rows = await lost.sql(
        "select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
      );
      return rows.length > 0;
    });
    await lost.crash();
    await this.#standby.promote();
    this.#primary = this.#standby;
    await lost[Symbol.asyncDispose]();
    this.#standby = await this.#primary.addStandby({ isSynchronous: true, place: lost.place });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#standby[Symbol.asyncDispose]();
    await this.#primary[Symbol.asyncDispose]();
  }
}
