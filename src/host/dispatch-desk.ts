import { isDeepStrictEqual } from 'node:util';
import { cancelledEnding, outcomeOf } from '../domain/outcome.js';
import { Dispatch, type DispatchRequest } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import type { DispatchId, ThreadId } from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import type { Operation } from '../store/operation.js';
import type { Page } from '../store/page.js';
import type { Store } from '../store/store.js';
import type { NewDispatch, StoredDispatch } from '../store/stored-dispatch.js';
import type { NewThread } from '../store/stored-thread.js';
import type { Admission } from './admission.js';
import type { Dispatcher } from './dispatcher.js';
import { withoutWorkIn } from './held-dispatch.js';
import type { Actor, Dispatches } from './host.js';
import { interruptThread } from './interruption.js';
import { PromptFold } from './prompt-fold.js';
import { Refused, type ThreadBook } from './thread-book.js';
import type { Worker } from './worker.js';

export interface DispatchDeskOutside {
  readonly store: Store;
  readonly book: ThreadBook;
  readonly worker: Worker;
  readonly admission: Admission;
  readonly dispatcher: () => Dispatcher;
  readonly now: () => number;
  readonly newDispatchId: () => DispatchId;
}

interface Submission {
  readonly actor: string;
  readonly idempotencyKey?: string | undefined;
  readonly retryOf?: DispatchId;
}

/** Takes work in, and tells what became of it. */
export class DispatchDesk implements Dispatches {
  readonly #outside: DispatchDeskOutside;

  constructor(outside: DispatchDeskOutside) {
    this.#outside = outside;
  }

  async submit(request: DispatchRequest, by: Submission) {
    const { idempotencyKey } = by;
    if (idempotencyKey !== undefined) {
      const earlier = await this.#outside.store.query('dispatch', { idempotencyKey });
      if (earlier) return sameWork(earlier, request);
    }
    const thread = await this.#outside.admission.admit(request);
    const dispatch = this.#newDispatch(request, thread.id, by);
    try {
      await this.#insert(dispatch, thread.isNew ? thread.row : null);
    } catch (error) {
      const raced = obstacle(error);
      if (!raced) throw error;
      return sameWork(raced, request);
    }
    this.#outside.dispatcher().poke();
    return { dispatch: shown({ ...dispatch, attempts: [] }), isNew: true };
  }

  async get(id: DispatchId): Promise<Dispatch> {
    return shown(await this.#stored(id));
  }

  async list(query: Parameters<Dispatches['list']>[0]): Promise<Page<Dispatch>> {
    const page = await this.#outside.store.query('dispatches', query);
    return { ...page, rows: page.rows.map(shown) };
  }

  async ended(id: DispatchId, signal: AbortSignal): Promise<Dispatch> {
    const first = await this.#stored(id);
    if (first.state === 'ended' || signal.aborted) return shown(first);
    using changes = this.#outside.store.subscribe({ topics: ['dispatch'], threadId: first.threadId });
    const stop = () => changes.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let now = await this.#stored(id); ; now = await this.#stored(id)) {
        if (now.state === 'ended' || signal.aborted) return shown(now);
        await changes.next();
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async cancel(id: DispatchId, actor: Actor): Promise<Dispatch> {
    const outcome = outcomeOf({ ...cancelledEnding, reason: `cancelled by ${actor}` });
    const { wasUnderWay } = await this.callOff(id, { outcome, promptReason: 'dispatch_cancelled' });
    const dispatch = await this.get(id);
    if (wasUnderWay) void interruptThread(dispatch.threadId, this.#outside);
    return dispatch;
  }

  /** Calls off what is under way in a thread. */
  async callOffThread(
    threadId: ThreadId,
    how: { readonly outcome: Outcome; readonly promptReason: string },
  ): Promise<void> {
    for (const state of ['running', 'waiting'] as const) {
      const page = await this.#outside.store.query('dispatches', { threadId, state });
      for (const dispatch of page.rows) await this.callOff(dispatch.id, how);
    }
  }

  /** Ends a dispatch from outside, with its prompts; what its agent is doing is the caller's to stop. */
  async callOff(
    id: DispatchId,
    how: { readonly outcome: Outcome; readonly promptReason: string },
  ): Promise<{ readonly wasUnderWay: boolean }> {
    const { book, dispatcher, now } = this.#outside;
    const { outcome } = how;
    const dispatch = await this.#stored(id);
    if (dispatch.state === 'ended') return { wasUnderWay: false };
    const at = new Date(now()).toISOString();
    const attempt = dispatch.attempts.length;
    const endAttempt: Operation[] =
      attempt > 0 && dispatch.attempts.at(-1)?.endedAt === undefined
        ? [{ do: 'endAttempt', dispatchId: id, attempt, at, outcome }]
        : [];
    // Whatever its drive is about to write is refused from here on.
    const releaseLease: Operation[] = dispatch.lease
      ? [{ do: 'releaseLease', dispatchId: id, epoch: dispatch.lease.epoch }]
      : [];
    try {
      await book.change(dispatch.threadId, (state) => {
        const prompts = new PromptFold(state);
        if (dispatch.state !== 'queued') prompts.cancelAll(how.promptReason);
        const isIts = state.run?.facts.work === id;
        const { operations, next } = isIts ? withoutWorkIn(state) : { operations: [], next: state };
        return {
          operations: [
            {
              do: 'patchDispatch',
              dispatchId: id,
              patch: { state: 'ended', outcome, endedAt: at, why: null },
              if: { state: [dispatch.state] },
            },
            ...endAttempt,
            ...releaseLease,
            ...prompts.operations,
            ...operations,
          ],
          says: [...prompts.says, { type: 'dispatch_ended', dispatchId: id, outcome }],
          state: { ...next, prompts: prompts.prompts },
          result: undefined,
        };
      });
    } catch (error) {
      // It moved on in the meantime: what is stored is the truth.
      if (!(error instanceof Refused)) throw error;
      return await this.callOff(id, how);
    }
    dispatcher().abandon(id);
    return { wasUnderWay: dispatch.state !== 'queued' };
  }

  async retry(id: DispatchId, actor: Actor): Promise<Dispatch> {
    const dispatch = await this.#stored(id);
    if (dispatch.state !== 'ended')
      throw new Failure('conflict', `${id} has not ended yet; cancel it first, or wait for it.`);
    const {
      workspace: _w,
      runtime: _r,
      permissions: _p,
      posture: _o,
      notBefore: _n,
      ...rest
    } = dispatch.request;
    const again = { ...rest, thread: dispatch.threadId };
    const { dispatch: made } = await this.submit(again, { actor, retryOf: id });
    return made;
  }

  /** Commits the work; where there is room, it is claimed in the same unit, so that it starts a commit earlier. */
  async #insert(dispatch: NewDispatch, thread: NewThread | null): Promise<void> {
    const { store } = this.#outside;
    const dispatcher = this.#outside.dispatcher();
    const limit = Math.max(0, Math.min(1, dispatcher.room));
    await dispatcher.claiming(limit, async (claim) => {
      const insert = { do: 'insertDispatch', dispatch } as const;
      if (thread) {
        const result = await store.commit({
          operations: [{ do: 'insertThread', thread }, insert, claim],
        });
        if (result.committed) return result.results[2];
        throw new Refused(dispatch.threadId, result.refusal);
      }
      const result = await store.commit({ operations: [insert, claim] });
      if (result.committed) return result.results[1];
      throw new Refused(dispatch.threadId, result.refusal);
    });
  }

  #newDispatch(request: DispatchRequest, threadId: ThreadId, by: Submission): NewDispatch {
    const { text, title, priority = 0, notBefore, labels } = request;
    return {
      id: this.#outside.newDispatchId(),
      threadId,
      text,
      actor: by.actor,
      state: 'queued',
      priority,
      request,
      createdAt: new Date(this.#outside.now()).toISOString(),
      ...(title === undefined ? {} : { title }),
      ...(notBefore === undefined ? {} : { notBefore }),
      ...(labels ? { labels } : {}),
      ...(by.idempotencyKey === undefined ? {} : { idempotencyKey: by.idempotencyKey }),
      ...(by.retryOf === undefined ? {} : { retryOf: by.retryOf }),
    };
  }

  async #stored(id: DispatchId): Promise<StoredDispatch> {
    const dispatch = await this.#outside.store.query('dispatch', { id });
    if (!dispatch) throw new Failure('not_found', `There is no dispatch ${id}.`);
    return dispatch;
  }
}

/** A dispatch without what is only the host's: the request may hold an environment. */
function shown(dispatch: StoredDispatch): Dispatch {
  return Dispatch.parse(dispatch);
}

function sameWork(earlier: StoredDispatch, request: DispatchRequest) {
  if (!isDeepStrictEqual(earlier.request, request))
    throw new Failure('conflict', `This idempotency key belongs to other work: ${earlier.id}.`);
  return { dispatch: shown(earlier), isNew: false };
}

function obstacle(error: unknown): StoredDispatch | null {
  if (!(error instanceof Refused) || error.refusal.because !== 'condition') return null;
  const { current } = error.refusal;
  return 'dispatch' in current ? current.dispatch : null;
}
