import { isNews } from '../../domain/status/status-arbiter.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { NewEvent, StoredEvent } from '../../store/stored-event.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { StoredWorker } from '../../store/stored-worker.js';
import type { Refusal, Unit } from '../../store/unit.js';
import { type Clock, instant } from '../clock.js';
import { KeyedQueue } from './keyed-queue.js';
import { reportOf, stateOf, type ThreadState } from './thread-state.js';

/** A change of one thread, to be committed as a whole. */
export interface ThreadChange<Result = void> {
  readonly operations: readonly Operation[];
  /** Events of a run, as its runner wrote them; refused unless exactly `after` of it was ingested. */
  readonly runEvents?: {
    readonly runId: RunId;
    readonly after: number;
    readonly events: readonly NewEvent[];
  };
  /** What the worker itself adds to the thread, after those. */
  readonly events?: readonly ThreadEventBody[];
  /** The state after the commit. */
  readonly state: ThreadState;
  readonly lease?: NonNullable<Unit['lease']>;
  /** Hears what the operations found, once they are committed and before anybody else is told. */
  readonly committed?: (results: readonly unknown[]) => void;
  readonly result: Result;
}

/** What follows from events of a run at once, and is committed with them. */
export type FollowingChange = Pick<ThreadChange, 'operations' | 'events' | 'state' | 'lease' | 'committed'>;

/** Finds what follows from a state that is about to be committed. */
export type Following = (next: ThreadState) => FollowingChange | null;

/** A change that is committed. */
export interface CommittedChange {
  readonly state: ThreadState;
  readonly before: ThreadState;
  readonly events: readonly StoredEvent[];
}

/** Where a change may be made. */
export interface CommitOptions {
  /** Also in a thread that another worker works on; that worker is told by the store. */
  readonly anywhere?: boolean;
}

// Two workers that write to one thread stand in each other's way for a moment.
const mostTries = 10;

/** Called after every commit, in the order of commits of one thread. */
export type ChangeListener = (change: CommittedChange) => void;

/** Who outside is told of new events; put into the outbox in the same commit. */
export type OutboxEntries = (
  thread: StoredThread,
  events: readonly ThreadEventBody[],
) => readonly Operation[];

/** Thrown when the store refused a change; the caller may know what to do about it. */
export class ChangeRefused extends Failure {
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
export class ThreadChanges {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #outboxEntries: OutboxEntries;
  readonly #listeners = new Set<ChangeListener>();
  #following: Following = () => null;
  readonly #queue = new KeyedQueue<ThreadId>();
  /** Threads with a live run, or held; any other is read again when it is needed, so that memory stays flat. */
  readonly #states = new Map<ThreadId, ThreadState>();
  /** By how many each is held. */
  readonly #held = new Map<ThreadId, number>();

  constructor(store: Store, clock: Clock, outboxEntries: OutboxEntries = () => []) {
    this.#store = store;
    this.#clock = clock;
    this.#outboxEntries = outboxEntries;
  }

  listen(listener: ChangeListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Whoever would commit something as soon as it hears of a run's events can do so in the commit that holds them. */
  accompany(following: Following): void {
    this.#following = following;
  }

  /** Keeps the state of a thread in mind, also before it has a live run: whoever starts one looks at it many times. */
  hold(threadId: ThreadId): Disposable {
    const count = (by: 1 | -1) => (this.#held.get(threadId) ?? 0) + by;
    this.#held.set(threadId, count(1));
    return {
      [Symbol.dispose]: () => {
        const left = count(-1);
        if (left > 0) this.#held.set(threadId, left);
        else this.#held.delete(threadId);
        const state = this.#states.get(threadId);
        if (state) this.#keep(state);
      },
    };
  }

  /** Which other worker works on a thread. */
  async foreignWorker(threadId: ThreadId): Promise<StoredWorker | null> {
    if (!this.#store.isShared || this.#states.has(threadId)) return null;
    return await this.#store.query('foreignWorker', { threadId });
  }

  /** Another worker has written to a thread of this one: what is known of it is read again, and told. */
  async refresh(threadId: ThreadId): Promise<void> {
    await this.#queue.run(threadId, async () => {
      const known = this.#states.get(threadId);
      this.#states.delete(threadId);
      const state = await this.#load(threadId);
      const after = known?.thread.lastSeq ?? Math.max(0, state.thread.lastSeq - 1);
      const events = await this.#store.query('events', { threadId, after });
      for (const listener of this.#listeners) listener({ state, before: known ?? state, events });
    });
  }

  /** The state as it is committed, with every change that was asked for before. */
  async state(threadId: ThreadId): Promise<ThreadState> {
    return await this.#queue.run(threadId, async () => await this.#load(threadId));
  }

  /** The state of a thread whose folder is here; one that another worker works on is refused. */
  async ownState(threadId: ThreadId): Promise<ThreadState> {
    await this.#expectOwn(threadId);
    return await this.state(threadId);
  }

  /** Decides on the present state and commits what was decided; null decides that nothing changes. */
  async commit<Result>(
    threadId: ThreadId,
    decide: (state: ThreadState) => ThreadChange<Result> | null | Promise<ThreadChange<Result> | null>,
    { anywhere = false }: CommitOptions = {},
  ): Promise<Result | null> {
    return await this.#queue.run(threadId, async () => {
      const isOwn = anywhere
        ? (await this.foreignWorker(threadId)) === null
        : await this.#expectOwn(threadId);
      let isAlone = false;
      for (let tries = 1; ; tries += 1) {
        const before = await this.#load(threadId);
        const change = await decide(before);
        if (change === null) return null;
        const following = change.runEvents && !isAlone ? this.#following(change.state) : null;
        try {
          await this.#commit(before, following ? together(change, following) : change, isOwn);
          return change.result;
        } catch (error) {
          // What follows has no more right than when it comes second; the events are recorded in any case.
          if (following && error instanceof ChangeRefused) isAlone = true;
          else if (tries === mostTries || !isOutOfDate(error, before)) throw error;
        }
      }
    });
  }

  /** Adds events to a thread, and changes nothing else. */
  async append(threadId: ThreadId, events: readonly ThreadEventBody[]): Promise<void> {
    await this.commit(threadId, (state) => ({ operations: [], events, state, result: undefined }));
  }

  /** The first state that fits, or the present one when the signal fires. */
  async until(
    threadId: ThreadId,
    fits: (state: ThreadState) => boolean,
    signal: AbortSignal,
  ): Promise<ThreadState> {
    const state = await this.state(threadId);
    if (fits(state) || signal.aborted) return state;
    // The one that fits, not a later one: by the time it could be read again, it may be over.
    const fitting = await new Promise<ThreadState | null>((resolve) => {
      const finish = (found: ThreadState | null) => {
        listening[Symbol.dispose]();
        signal.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = () => finish(null);
      const look = (found: ThreadState) => fits(found) && finish(found);
      const listening = this.listen((change) => change.state.thread.id === threadId && look(change.state));
      signal.addEventListener('abort', giveUp, { once: true });
      // What changed between the first look and the listening is seen by a second look.
      this.state(threadId).then(look, giveUp);
      if (signal.aborted) giveUp();
    });
    return fitting ?? (await this.state(threadId));
  }

  async #expectOwn(threadId: ThreadId): Promise<true> {
    const foreign = await this.foreignWorker(threadId);
    if (!foreign) return true;
    throw new Failure('conflict', `${threadId} is worked on by ${foreign.name}. Ask that worker.`);
  }

  async #commit(before: ThreadState, change: ThreadChange<unknown>, isOwn: boolean): Promise<void> {
    const { id, lastSeq } = before.thread;
    const { runEvents, events: own = [], lease } = change;
    const at = instant(this.#clock);
    const firstOwn = lastSeq + (runEvents?.events.length ?? 0) + 1;
    const places = own.flatMap((event, index) =>
      event.type === 'prompt_asked' ? [{ promptId: event.promptId, askedSeq: firstOwn + index }] : [],
    );
    const next = withPlaces(change.state, places);
    const report = reportOf(next);
    const news = isNews(before.thread.status, report);
    const written = own.map((body) => newEvent(body, at));
    const result = await this.#store.commit({
      operations: [
        ...(runEvents
          ? [
              {
                do: 'appendEvents',
                threadId: id,
                runId: runEvents.runId,
                ...this.#ifLastSeq(lastSeq),
                ifLastRunSeq: runEvents.after,
                events: runEvents.events,
              } as const,
            ]
          : []),
        ...change.operations,
        ...places.map(
          ({ promptId, askedSeq }) => ({ do: 'patchPrompt', promptId, patch: { askedSeq } }) as const,
        ),
        ...this.#outboxEntries(before.thread, own),
        ...(written.length > 0
          ? [{ do: 'appendEvents', threadId: id, ...this.#ifLastSeq(firstOwn - 1), events: written } as const]
          : []),
        ...(news ? [{ do: 'appendStatus', threadId: id, report, at } as const] : []),
      ],
      ...given({ lease }),
      ...(this.#store.isShared && isOwn && { own: id }),
    });
    if (!result.committed) {
      this.#states.delete(id);
      // Taken over by another worker meanwhile, which is named.
      if (result.refusal.because === 'foreign') await this.#expectOwn(id);
      throw new ChangeRefused(id, result.refusal);
    }
    const firstOperation = runEvents ? 1 : 0;
    change.committed?.(result.results.slice(firstOperation, firstOperation + change.operations.length));
    const appended = [
      ...(runEvents?.events.map((event) => ({ event, runId: runEvents.runId })) ?? []),
      ...written.map((event) => ({ event, runId: null })),
    ];
    const events = appended.map(({ event, runId }, index) => ({
      ...event,
      threadId: id,
      seq: lastSeq + 1 + index,
      runId,
      runSeq: event.runSeq ?? null,
    }));
    const state = {
      ...next,
      thread: {
        ...next.thread,
        lastSeq: lastSeq + appended.length,
        status: news ? report : before.thread.status,
      },
    };
    // Who works on it has the state in mind, and acts on it.
    if (!isOwn) {
      this.#states.delete(id);
      return;
    }
    this.#keep(state);
    for (const listener of this.#listeners) listener({ state, before, events });
  }

  /** Nobody else writes to a store that is not shared. */
  #ifLastSeq(seq: number): { readonly ifLastSeq?: number } {
    return this.#store.isShared ? { ifLastSeq: seq } : {};
  }

  async #load(threadId: ThreadId): Promise<ThreadState> {
    const known = this.#states.get(threadId);
    if (known) return known;
    const [thread, runs, pending, unused, untold] = await Promise.all([
      this.#store.query('thread', { id: threadId }),
      this.#store.query('runs', { threadId, limit: 1, order: 'newest_first' }),
      this.#store.query('prompts', { threadId, state: 'pending', limit: 1000 }),
      this.#store.query('prompts', { threadId, unused: true }),
      this.#store.query('prompts', { threadId, untold: true }),
    ]);
    if (!thread) throw new Failure('not_found', `There is no thread ${threadId}.`);
    const state = stateOf({
      thread,
      newest: runs.rows[0],
      prompts: [...untold.rows, ...unused.rows, ...pending.rows],
    });
    // Not one that is only looked at, nor one with a run: it may be another worker's by now.
    if (!state.run && this.#held.has(threadId)) this.#states.set(threadId, state);
    return state;
  }

  #keep(state: ThreadState): void {
    const { id } = state.thread;
    if (state.run || this.#held.has(id)) this.#states.set(id, state);
    else this.#states.delete(id);
  }
}

/** A change of a run's events, and what follows from it, as one. */
function together<Result>(change: ThreadChange<Result>, following: FollowingChange): ThreadChange<Result> {
  const own = change.operations.length;
  return {
    ...change,
    operations: [...change.operations, ...following.operations],
    events: [...(change.events ?? []), ...(following.events ?? [])],
    state: following.state,
    ...given({ lease: following.lease }),
    committed: (results) => {
      change.committed?.(results.slice(0, own));
      following.committed?.(results.slice(own));
    },
  };
}

/** Whether another worker has written to the thread since its state was read. */
function isOutOfDate(error: unknown, { thread }: ThreadState): boolean {
  if (!(error instanceof ChangeRefused) || error.refusal.because !== 'condition') return false;
  const { current } = error.refusal;
  return 'thread' in current && current.thread.id === thread.id && current.thread.lastSeq !== thread.lastSeq;
}

function newEvent(body: ThreadEventBody, timestamp: string): NewEvent {
  const { type, ...fields } = body;
  return { type, timestamp, json: JSON.stringify({ type, timestamp, ...fields }) };
}

/** Prompts know where in the thread they were asked. */
function withPlaces(
  state: ThreadState,
  places: readonly { readonly promptId: string; readonly askedSeq: number }[],
): ThreadState {
  if (places.length === 0) return state;
  const prompts = state.prompts.map((prompt) => {
    const place = places.find(({ promptId }) => promptId === prompt.id);
    return place ? { ...prompt, askedSeq: place.askedSeq } : prompt;
  });
  return { ...state, prompts };
}
