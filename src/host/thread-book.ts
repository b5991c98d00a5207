import { isNews } from '../domain/status-arbiter.js';
import { Failure } from '../protocol/failure.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { ThreadEventBody } from '../protocol/thread-event.js';
import type { Operation } from '../store/operation.js';
import type { Store } from '../store/store.js';
import type { NewEvent, StoredEvent } from '../store/stored-event.js';
import type { StoredThread } from '../store/stored-thread.js';
import type { Refusal, Unit } from '../store/unit.js';
import { KeyedLine } from './keyed-line.js';
import { reportOf, stateOf, type ThreadState } from './thread-state.js';

/** A change of one thread, to be committed as a whole. */
export interface ThreadChange<Result = void> {
  readonly operations: readonly Operation[];
  /** Events of a run, as its runner wrote them; refused unless exactly `after` of it was ingested. */
  readonly ingest?: { readonly runId: RunId; readonly after: number; readonly events: readonly NewEvent[] };
  /** What the worker itself has to say in the thread, after those. */
  readonly says?: readonly ThreadEventBody[];
  /** The state after the commit. */
  readonly state: ThreadState;
  readonly lease?: NonNullable<Unit['lease']>;
  readonly result: Result;
}

/** Who outside is told of what is said in a thread; put into the outbox in the same commit. */
export type Notify = (thread: StoredThread, says: readonly ThreadEventBody[]) => readonly Operation[];

/** Who hears of committed changes. */
export interface BookListener {
  /** After every commit, in the order of commits of one thread. */
  changed(change: {
    readonly state: ThreadState;
    readonly before: ThreadState;
    readonly events: readonly StoredEvent[];
  }): void;
}

/** Thrown when the store refused a change; the caller may know what to do about it. */
export class Refused extends Failure {
  readonly refusal: Refusal;

  constructor(threadId: ThreadId, refusal: Refusal) {
    super(
      refusal.because === 'superseded' ? 'home_busy' : 'conflict',
      `A change of ${threadId} was refused: ${refusal.because}.`,
    );
    this.refusal = refusal;
  }
}

/**
 * Every change of a thread goes through here, one after the other: decided on the committed state, committed together
 * with the status that follows from it, and only then told to anybody. Threads do not wait for each other.
 */
export class ThreadBook {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #notify: Notify;
  readonly #listeners = new Set<BookListener>();
  readonly #line = new KeyedLine<ThreadId>();
  /** Threads with a live run; what has none is read again when it is needed, so that memory stays flat. */
  readonly #states = new Map<ThreadId, ThreadState>();

  constructor(store: Store, now: () => number, notify: Notify = () => []) {
    this.#store = store;
    this.#now = now;
    this.#notify = notify;
  }

  listen(listener: BookListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** The state as it is committed, with every change that was asked for before. */
  async state(threadId: ThreadId): Promise<ThreadState> {
    return await this.#line.run(threadId, async () => await this.#load(threadId));
  }

  /** Decides on the present state and commits what was decided; null decides that nothing changes. */
  async change<Result>(
    threadId: ThreadId,
    decide: (state: ThreadState) => ThreadChange<Result> | null | Promise<ThreadChange<Result> | null>,
  ): Promise<Result | null> {
    return await this.#line.run(threadId, async () => {
      const before = await this.#load(threadId);
      const change = await decide(before);
      if (change === null) return null;
      await this.#commit(before, change);
      return change.result;
    });
  }

  /** The first state that fits, or the present one when the signal fires. */
  async until(
    threadId: ThreadId,
    fits: (state: ThreadState) => boolean,
    signal: AbortSignal,
  ): Promise<ThreadState> {
    const state = await this.state(threadId);
    if (fits(state) || signal.aborted) return state;
    await new Promise<void>((resolve) => {
      const finish = () => {
        listening[Symbol.dispose]();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const listening = this.listen({
        changed: (change) => {
          if (change.state.thread.id === threadId && fits(change.state)) finish();
        },
      });
      signal.addEventListener('abort', finish, { once: true });
      // What changed between the first look and the listening is seen by a second look.
      void this.#again(threadId, fits).then((isFitting) => isFitting && finish(), finish);
      if (signal.aborted) finish();
    });
    return await this.state(threadId);
  }

  async #again(threadId: ThreadId, fits: (state: ThreadState) => boolean): Promise<boolean> {
    return fits(await this.state(threadId));
  }

  async #commit(before: ThreadState, change: ThreadChange<unknown>): Promise<void> {
    const { id } = before.thread;
    const at = new Date(this.#now()).toISOString();
    const says = (change.says ?? []).map((body) => spoken(body, at));
    const report = reportOf(change.state);
    const news = isNews(before.thread.status, report);
    const { ingest } = change;
    const result = await this.#store.commit({
      operations: [
        ...(ingest
          ? [
              {
                do: 'appendEvents',
                threadId: id,
                runId: ingest.runId,
                ifLastRunSeq: ingest.after,
                events: ingest.events,
              } as const,
            ]
          : []),
        ...change.operations,
        ...this.#notify(before.thread, change.says ?? []),
        ...(says.length > 0 ? [{ do: 'appendEvents', threadId: id, events: says } as const] : []),
        ...(news ? [{ do: 'appendStatus', threadId: id, report, at } as const] : []),
      ],
      ...(change.lease ? { lease: change.lease } : {}),
    });
    if (!result.committed) {
      this.#states.delete(id);
      throw new Refused(id, result.refusal);
    }
    const appended = [
      ...(ingest?.events.map((event) => ({ event, runId: ingest.runId })) ?? []),
      ...says.map((event) => ({ event, runId: null })),
    ];
    const first = before.thread.lastSeq + 1;
    const events = appended.map(({ event, runId }, index) => ({
      ...event,
      threadId: id,
      seq: first + index,
      runId,
      runSeq: event.runSeq ?? null,
    }));
    const state = {
      ...change.state,
      thread: {
        ...change.state.thread,
        lastSeq: before.thread.lastSeq + appended.length,
        status: news ? report : before.thread.status,
      },
    };
    if (state.run) this.#states.set(id, state);
    else this.#states.delete(id);
    for (const listener of this.#listeners) listener.changed({ state, before, events });
  }

  async #load(threadId: ThreadId): Promise<ThreadState> {
    const known = this.#states.get(threadId);
    if (known) return known;
    const [thread, runs, pending, answered] = await Promise.all([
      this.#store.query('thread', { id: threadId }),
      this.#store.query('runs', { threadId, limit: 1, order: 'newest_first' }),
      this.#store.query('prompts', { threadId, state: 'pending', limit: 1000 }),
      this.#store.query('prompts', { threadId, state: 'answered', order: 'newest_first', limit: 20 }),
    ]);
    if (!thread) throw new Failure('not_found', `There is no thread ${threadId}.`);
    const unused = answered.rows.filter(({ consumedAt }) => consumedAt === undefined).toReversed();
    return stateOf({ thread, newest: runs.rows[0], prompts: [...unused, ...pending.rows] });
  }
}

function spoken(body: ThreadEventBody, timestamp: string): NewEvent {
  const { type, ...fields } = body;
  return { type, timestamp, json: JSON.stringify({ type, timestamp, ...fields }) };
}
