import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Change, ChangeFilter } from '../change.js';
import type { Heartbeat, HeartbeatReply } from '../heartbeat.js';
import type { Operation } from '../operation.js';
import type { AnswerTo, InputOf, Query, QueryName } from '../query.js';
import type { Store } from '../store.js';
import { Subscription } from '../subscription.js';
import type { CommitResult, Unit, WorkerIdentity } from '../unit.js';
import type { FailureData, Opened, Statistics, StoreReply, StoreRequest, ThreadStart } from './message.js';

/** What a request still waits for. */
interface Pending {
  resolve(value: unknown): void;
  reject(reason: Failure): void;
}

type Unnumbered<Each> = Each extends StoreRequest ? Omit<Each, 'id'> : never;

/** The store in one SQLite file, written by a thread of its own so that a sync never stalls the event loop. */
export class SqliteStore implements Store {
  readonly worker: WorkerIdentity;
  readonly isShared = false;
  readonly #file: string;
  readonly #thread: Worker;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  readonly #subscriptions = new Set<Subscription>();
  #outgoing: StoreRequest[] = [];
  #lastId = 0;
  #gone: Failure | null = null;
  #closing: Promise<void> | null = null;

  private constructor(options: { worker: WorkerIdentity; file: string; thread: Worker }) {
    this.worker = options.worker;
    this.#file = options.file;
    this.#thread = options.thread;
    this.#thread.on('message', (replies: readonly StoreReply[]) => this.#receive(replies));
    this.#thread.on('error', (error) => this.#lose(threadDied(this.#file, error)));
    this.#exited = new Promise((resolve) => {
      this.#thread.once('exit', () => {
        this.#lose(threadDied(this.#file));
        resolve();
      });
    });
  }

  /** Begins to load the thread of a store, which takes longer than to open a file; `program` is for a caller that is not compiled. */
  static startThread(program = new URL('./store-thread.js', import.meta.url)): Worker {
    const thread = new Worker(program);
    // Whoever opens the file finds it gone, and says why.
    thread.on('error', (error) => earlyDeaths.set(thread, error));
    return thread;
  }

  /** Opens the file, made where it is missing. */
  static async open({
    program,
    thread = SqliteStore.startThread(program),
    ...start
  }: ThreadStart & { readonly program?: URL; readonly thread?: Worker }): Promise<SqliteStore> {
    thread.postMessage(start, []);
    const opened = await firstWord(thread, start.file);
    if (opened.kind === 'opened') {
      return new SqliteStore({ worker: opened.worker, file: start.file, thread });
    }
    await thread.terminate();
    throw failureFrom(opened.failure);
  }

  async commit<const Operations extends readonly Operation[]>(
    unit: Unit<Operations>,
  ): Promise<CommitResult<Operations>> {
    const result = await this.#ask({ kind: 'commit', unit });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers in the unit's own order
    return result as CommitResult<Operations>;
  }

  async beat(heartbeat: Heartbeat): Promise<HeartbeatReply> {
    const beaten = await this.commit({ operations: [{ do: 'beatWorker', ...heartbeat }] });
    return beaten.committed ? { isDraining: beaten.results[0].isDraining } : null;
  }

  async query<Name extends QueryName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pair of name and input is the union's member
    const query = { ask: name, input } as unknown as Query;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers what was asked
    return (await this.#ask({ kind: 'query', query })) as AnswerTo<Name>;
  }

  /** How many units were committed in how many transactions since the store was opened. */
  async statistics(): Promise<Statistics> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers what was asked
    return (await this.#ask({ kind: 'statistics' })) as Statistics;
  }

  async compact(): Promise<void> {
    await this.#ask({ kind: 'compact' });
  }

  async backup(file: string): Promise<void> {
    await this.#ask({ kind: 'backup', file });
  }

  subscribe({ capacity, ...filter }: ChangeFilter & { readonly capacity?: number } = {}): Subscription {
    const subscription = new Subscription({
      filter,
      ...given({ capacity }),
      onClose: (closed) => this.#subscriptions.delete(closed),
    });
    if (this.#gone || this.#closing) subscription.close();
    else this.#subscriptions.add(subscription);
    return subscription;
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #finish(): Promise<void> {
    try {
      if (!this.#gone) await this.#ask({ kind: 'close' });
    } finally {
      await this.#thread.terminate();
      await this.#exited;
    }
  }

  #ask(request: Unnumbered<StoreRequest>): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    if (this.#closing && request.kind !== 'close') return Promise.reject(closed(this.#file));
    this.#lastId += 1;
    const id = this.#lastId;
    // Everything that one turn of the event loop asks for travels in one message.
    if (this.#outgoing.length === 0) setImmediate(() => this.#send());
    this.#outgoing.push({ ...request, id });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
  }

  #send(): void {
    const requests = this.#outgoing;
    this.#outgoing = [];
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (!this.#gone) this.#thread.postMessage(requests);
  }

  #receive(replies: readonly StoreReply[]): void {
    for (const reply of replies) {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      switch (reply.kind) {
        case 'commit':
          pending?.resolve(reply.result);
          this.#publish(reply.changes);
          break;
        case 'answer':
          pending?.resolve(reply.answer);
          break;
        case 'failure':
          pending?.reject(failureFrom(reply.failure));
          break;
        default:
          reply satisfies never;
      }
    }
  }

  #publish(changes: readonly Change[]): void {
    for (const subscription of this.#subscriptions) {
      for (const change of changes) subscription.publish(change);
    }
  }

  #lose(failure: Failure): void {
    if (this.#gone) return;
    this.#gone = this.#closing ? closed(this.#file) : failure;
    for (const pending of this.#pending.values()) pending.reject(this.#gone);
    this.#pending.clear();
    for (const subscription of this.#subscriptions) subscription.close();
  }
}

/** Why threads died that were not yet asked for anything. */
const earlyDeaths = new WeakMap<Worker, unknown>();

async function firstWord(thread: Worker, file: string): Promise<Opened> {
  // It died before anybody asked it for anything.
  if (thread.threadId === -1) throw threadDied(file, earlyDeaths.get(thread));
  const gone = new AbortController();
  const onExit = () => gone.abort();
  thread.once('exit', onExit);
  try {
    // Not removeAllListeners afterwards: a Worker delivers messages through a listener on itself.
    const [opened]: (Opened | undefined)[] = await once(thread, 'message', { signal: gone.signal });
    if (opened) return opened;
  } catch (error) {
    throw threadDied(file, error);
  } finally {
    thread.off('exit', onExit);
  }
  throw threadDied(file);
}

function failureFrom({ code, message }: FailureData): Failure {
  return new Failure(code, message);
}

function closed(file: string): Failure {
  return new Failure('unavailable', `The store ${file} is closed.`);
}

function threadDied(file: string, cause?: unknown): Failure {
  const missing =
    cause instanceof Error && /^Cannot find module '(@libsql\/[\w-]+)'/.exec(cause.message)?.[1];
  if (missing)
    return new Failure(
      'unavailable',
      `The database is not installed: npm puts it into ${missing}, an optional dependency of Handraise, and it is not there. Install Handraise again, with optional dependencies: npm install -g handraise --include=optional.`,
      { cause },
    );
  const because = cause instanceof Error ? ` (${cause.message})` : '';
  return new Failure(
    'internal',
    `The thread that writes ${file} died${because}. Start the worker again; what was acknowledged is kept.`,
    { cause },
  );
}
