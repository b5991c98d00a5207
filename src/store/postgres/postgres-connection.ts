import { Client, type CustomTypesConfig, types as knownTypes } from 'pg';
import { Failure } from '../../protocol/failure.js';
import type { Statement, StatementReply, Steps, Value } from '../sql/steps.js';
import { ConnectionLost, isConnectionLost, isServersWord, postgresFailure } from './postgres-failure.js';
import type { DatabaseAddress, ServerAddress } from './store-url.js';

const oldestServer = 150_000;
const connectTimeoutMs = 5000;
// A server that is cut off answers nothing, and TCP alone would notice after hours.
const queryTimeoutMs = 30_000;
const mostNames = 200;

// Numbers of rows and sums of them; none of ours is larger than what a number can hold.
const numberTypes = new Set([20, 1700]);
const types: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- any number is one that the server knows
    numberTypes.has(oid) ? Number : knownTypes.getTypeParser(oid, format ?? 'text'),
};

interface ConnectionOptions {
  readonly answerTimeoutMs?: number;
  /** A statement is sent when it is asked for, even if the one before it is not answered. */
  readonly isPipelined?: boolean;
  /** What holds for as long as the connection, as statements; not as a startup parameter, which poolers refuse. */
  readonly session?: string;
}

/** One connection to the server that takes writes. Once it has an error of its own it is of no use any more. */
export class PostgresConnection implements AsyncDisposable {
  readonly place: string;
  readonly #client: Client;
  readonly #known = new Map<string, string>();
  readonly #once = new Set<string>();
  #isOpen = true;

  private constructor(client: Client, place: string) {
    this.#client = client;
    this.place = place;
    // Without a listener an error between two queries would end the process.
    client.on('error', () => this.abandon());
    client.on('end', () => this.abandon());
  }

  /** Connects to the first of the servers that takes writes. */
  static async open(
    address: DatabaseAddress,
    { answerTimeoutMs = queryTimeoutMs, isPipelined = false, session = '' }: ConnectionOptions = {},
  ): Promise<PostgresConnection> {
    let trouble: unknown;
    for (const server of address.servers) {
      try {
        const client = await connect(address, server, { answerTimeoutMs, isPipelined, session });
        return new PostgresConnection(client, address.place);
      } catch (error) {
        trouble = error;
      }
    }
    throw trouble instanceof Failure ? trouble : postgresFailure(trouble, address.place);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async query(sql: string, parameters: readonly Value[] = []): Promise<StatementReply> {
    try {
      const { rows, rowCount } = await this.#client.query<Record<string, unknown>>({
        text: sql,
        values: parameters.map(storable),
        ...this.#named(sql, parameters),
      });
      return { rows, changed: rowCount ?? 0 };
    } catch (error) {
      if (isServersWord(error) && !isConnectionLost(error)) throw error;
      this.abandon();
      throw new ConnectionLost('The connection to PostgreSQL is lost.', { cause: error });
    }
  }

  /** What is said again and again is read and planned once. */
  #named(sql: string, parameters: readonly Value[]): { readonly name?: string } {
    if (parameters.length === 0) return {};
    const name = this.#known.get(sql);
    if (name !== undefined) return name === '' ? {} : { name };
    // A text that is said once is not worth a name.
    if (this.#once.delete(sql))
      this.#known.set(sql, this.#known.size < mostNames ? `s${this.#known.size}` : '');
    else if (this.#once.size < mostNames) this.#once.add(sql);
    return {};
  }

  /** Does all steps, each when the one before it is answered. */
  async drive<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next();
    while (step.done !== true) step = steps.next(await this.#execute(step.value));
    return step.value;
  }

  /** Does something wholly or not at all. */
  async transaction<Result>(body: () => Promise<Result>): Promise<Result> {
    await this.query('begin');
    try {
      const result = await body();
      await this.query('commit');
      return result;
    } catch (error) {
      if (this.#isOpen) await this.query('rollback');
      throw error;
    }
  }

  /** Hears what is sent to a channel. */
  async listen(channel: string, hear: (payload: string) => void): Promise<void> {
    this.#client.on('notification', ({ payload }) => hear(payload ?? ''));
    await this.query(`listen ${channel}`);
  }

  /** Calls once when the connection is lost or closed. */
  onEnd(listener: () => void): void {
    this.#client.once('end', listener);
  }

  /** Gives a connection up that cannot be trusted any more. */
  abandon(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // Not awaited: a server that is cut off never says goodbye.
    void this.#client.end().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#client.end();
  }

  async #execute({ sql, parameters }: Statement): Promise<StatementReply> {
    return await this.query(sql, parameters);
  }
}

function ignore(): void {}

async function connect(
  { user, password, database, place }: DatabaseAddress,
  { host, port, ssl }: ServerAddress,
  { answerTimeoutMs, isPipelined, session }: Required<ConnectionOptions>,
): Promise<Client> {
  const client = new Client({
    host,
    port,
    ssl,
    user,
    database,
    ...(password === undefined ? {} : { password }),
    application_name: 'handraise',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    pipeline: isPipelined,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  });
  client.on('error', ignore);
  try {
    await client.connect();
    await expectUsable(client, place);
    if (session !== '') await client.query(session);
  } catch (error) {
    void client.end().catch(ignore);
    if (error instanceof Failure || isServersWord(error)) throw error;
    throw new ConnectionLost('PostgreSQL cannot be reached.', { cause: error });
  }
  return client;
}

async function expectUsable(client: Client, place: string): Promise<void> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as name,
       pg_is_in_recovery() as "isStandby"`,
  );
  const [server] = rows;
  const trouble = server && serverTrouble(server, place);
  if (trouble) throw trouble;
}

interface Server {
  readonly version: number;
  readonly name: string;
  readonly isStandby: boolean;
}

/** Why a server cannot be the store's. */
export function serverTrouble({ version, name, isStandby }: Server, place: string): Failure | undefined {
  if (version < oldestServer)
    return new Failure(
      'config',
      `The server of ${place} is PostgreSQL ${name}; Handraise needs 15 or later. Upgrade it, or choose another one.`,
    );
  if (isStandby)
    return new Failure(
      'unavailable',
      `The server of ${place} is a standby and takes no writes. Promote it, or name the primary in the store URL.`,
    );
  return undefined;
}

// No text of PostgreSQL holds a NUL.
function storable(value: Value): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
