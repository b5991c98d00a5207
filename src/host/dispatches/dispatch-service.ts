import { isDeepStrictEqual } from 'node:util';
import { withRaise } from '../../domain/dispatch/budget.js';
import { childWork } from '../../domain/dispatch/child-work.js';
import { cancelledEnding, outcomeOf } from '../../domain/dispatch/outcome.js';
import type { PromptFold } from '../../domain/prompts/prompt-fold.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { Dispatch, type DispatchEdit, type DispatchRequest } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId, WorkerId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { Operation } from '../../store/operation.js';
import { largestPageBytes, type Page } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { NewDispatch, StoredDispatch } from '../../store/stored-dispatch.js';
import type { NewThread } from '../../store/stored-thread.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, Dispatches } from '../host.js';
import { promptsIn } from '../prompts/thread-prompts.js';
import type { Interruption } from '../runs/interruption.js';
import { nameTaken } from '../threads/name-taken.js';
import { ChangeRefused, type ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { Admission } from './admission.js';
import type { DirectStart } from './direct-start.js';
import type { Dispatcher } from './dispatcher.js';
import { withoutUntold, withoutWorkIn } from './leased-dispatch.js';
import type { ParentSearch } from './parent-search.js';

const lookAgainMs = 10_000;

export interface DispatchServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly interruption: Interruption;
  readonly admission: Admission;
  readonly dispatcher: Dispatcher;
  readonly direct: DirectStart;
  readonly clock: Clock;
  readonly newDispatchId: () => DispatchId;
  readonly parents: ParentSearch;
}

/** How work is ended from outside. */
interface CallingOff {
  readonly outcome: Outcome;
  /** Why its open prompts are cancelled. */
  readonly promptReason: string;
  /** Settles prompts in the same change; true where the work is not to end after all. */
  readonly unless?: (prompts: PromptFold) => boolean;
}

/** A new thread, and whose it is where it is not this worker's. */
interface NewPlace {
  readonly row: NewThread;
  readonly worker?: WorkerId;
}

interface Submission {
  readonly actor: string;
  readonly idempotencyKey?: string | undefined;
  readonly retryOf?: DispatchId;
  readonly parent?: DispatchId;
}

/** Takes work in, and tells what became of it. */
export class DispatchService implements Dispatches {
  readonly #parts: DispatchServiceParts;

  constructor(parts: DispatchServiceParts) {
    this.#parts = parts;
  }

  async submit(
    asked: DispatchRequest,
    { callers = [], ...giver }: Submission & { readonly callers?: readonly ProcessIdentity[] },
  ) {
    const parent = await this.#parts.parents.of(callers);
    const request = parent ? childWork(asked, parent) : asked;
    const by = parent ? { ...giver, parent: parent.id } : giver;
    const { idempotencyKey } = by;
    if (idempotencyKey !== undefined) {
      const earlier = await this.#parts.store.query('dispatch', { idempotencyKey });
      if (earlier) return sameWork(earlier, request);
    }
    try {
      return await this.submitWith(request, by, () => []);
    } catch (error) {
      const raced = obstacle(error);
      if (!raced) throw (error instanceof ChangeRefused && nameTaken(error.refusal)) || error;
      return sameWork(raced, request);
    }
  }

  /** Commits new work in one unit with what follows from it. */
  async submitWith(
    request: DispatchRequest,
    by: Submission,
    together: (dispatch: NewDispatch) => readonly Operation[],
  ): Promise<{ readonly dispatch: Dispatch; readonly isNew: true }> {
    const thread = await this.#parts.admission.admit(request);
    const dispatch = this.#newDispatch(request, thread.id, by);
    const operations = together(dispatch);
    const isDirect = !thread.isNew && operations.length === 0 && (await this.#parts.direct.start(dispatch));
    if (!isDirect) {
      await this.#insert(dispatch, thread.isNew ? thread : null, operations);
      this.#parts.dispatcher.poke();
    }
    return { dispatch: shown({ ...dispatch, attempts: [] }), isNew: true };
  }

  async get(id: DispatchId): Promise<Dispatch> {
    return shown(await this.#stored(id));
  }

  async list(query: Parameters<Dispatches['list']>[0]): Promise<Page<Dispatch>> {
    const page = await this.#parts.store.query('dispatches', { ...query, mostBytes: largestPageBytes });
    return { ...page, rows: page.rows.map(shown) };
  }

  async ended(id: DispatchId, signal: AbortSignal): Promise<Dispatch> {
    const first = await this.#stored(id);
    if (first.state === 'ended' || signal.aborted) return shown(first);
    // Where another worker has it, it ends there; it may also get it meanwhile.
    const isForeign = (await this.#parts.changes.foreignWorker(first.threadId)) !== null;
    using changes = this.#parts.store.subscribe({
      topics: ['dispatch'],
      threadId: first.threadId,
      ...(isForeign && { shows: true }),
    });
    const looking = this.#parts.store.isShared ? setInterval(() => changes.miss(), lookAgainMs) : undefined;
    const stop = () => changes.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let now = await this.#stored(id); ; now = await this.#stored(id)) {
        if (now.state === 'ended' || signal.aborted) return shown(now);
        await changes.next();
      }
    } finally {
      clearInterval(looking);
      signal.removeEventListener('abort', stop);
    }
  }

  async cancel(id: DispatchId, actor: string): Promise<Dispatch> {
    const outcome = outcomeOf({ ...cancelledEnding, reason: `cancelled by ${actor}` });
    const { wasUnderWay } = await this.callOff(id, { outcome, promptReason: 'dispatch_cancelled' });
    const dispatch = await this.get(id);
    if (wasUnderWay) this.#parts.interruption.begin(dispatch.threadId);
    return dispatch;
  }

  async edit(id: DispatchId, { text }: DispatchEdit, actor: Actor): Promise<Dispatch> {
    const { threadId, state, attempts } = await this.#stored(id);
    if (state !== 'queued' || attempts.length > 0) throw begun(id);
    try {
      await this.#parts.changes.commit(threadId, (thread) => ({
        operations: [{ do: 'patchDispatch', dispatchId: id, patch: { text }, if: { state: ['queued'] } }],
        // Its message will be signed by whoever gave it.
        events: [{ type: 'notice', message: `Waiting work was changed by ${actorWords(actor)}.` }],
        state: thread,
        result: undefined,
      }));
    } catch (error) {
      throw error instanceof ChangeRefused ? begun(id) : error;
    }
    return await this.get(id);
  }

  /** Calls off what is under way in a thread. */
  async callOffThread(threadId: ThreadId, how: CallingOff): Promise<void> {
    for (const state of ['running', 'waiting'] as const) {
      const page = await this.#parts.store.query('dispatches', { threadId, state });
      for (const dispatch of page.rows) await this.callOff(dispatch.id, how);
    }
  }

  /** Ends a dispatch from outside, with its prompts; what its agent is doing is the caller's to stop. */
  async callOff(id: DispatchId, how: CallingOff): Promise<{ readonly wasUnderWay: boolean }> {
    const { changes, dispatcher, clock } = this.#parts;
    const { outcome } = how;
    const dispatch = await this.#stored(id);
    if (dispatch.state === 'ended') return { wasUnderWay: false };
    const at = instant(clock);
    const attempt = dispatch.attempts.length;
    const endAttempt: Operation[] =
      attempt > 0 && dispatch.attempts.at(-1)?.endedAt === undefined
        ? [{ do: 'endAttempt', dispatchId: id, attempt, at, outcome }]
        : [];
    // Whatever its execution is about to write is refused from here on.
    const releaseLease: Operation[] = dispatch.lease
      ? [{ do: 'releaseLease', dispatchId: id, epoch: dispatch.lease.epoch }]
      : [];
    try {
      const calledOff = await changes.commit(dispatch.threadId, (state) => {
        const prompts = promptsIn(state);
        const wasQueued = dispatch.state === 'queued';
        if (how.unless?.(prompts)) return null;
        if (!wasQueued) prompts.cancelAll(how.promptReason);
        if (!wasQueued && isAway(state)) prompts.leaveWork(how.promptReason);
        const settled = { ...state, prompts: prompts.prompts };
        const isIts = state.run?.facts.work?.id === id;
        const { operations, next } = isIts
          ? withoutWorkIn(settled)
          : wasQueued
            ? { operations: [], next: settled }
            : withoutUntold(settled);
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
            ...prompts.changes,
            ...operations,
          ],
          events: [...prompts.events, { type: 'dispatch_ended', dispatchId: id, outcome }],
          state: next,
          result: true,
        };
      });
      if (!calledOff) return { wasUnderWay: false };
    } catch (error) {
      // It moved on in the meantime: what is stored is the truth.
      if (!(error instanceof ChangeRefused)) throw error;
      return await this.callOff(id, how);
    }
    dispatcher.abandon(id);
    return { wasUnderWay: dispatch.state !== 'queued' };
  }

  async retry(id: DispatchId, actor: string, idempotencyKey?: string): Promise<Dispatch> {
    const dispatch = await this.#stored(id);
    if (dispatch.state !== 'ended')
      throw new Failure('conflict', `${id} has not ended yet. Cancel it or wait for it, then retry.`);
    const {
      workspace: _w,
      runtime: _r,
      permissions: _p,
      posture: _o,
      notBefore: _n,
      name: _m,
      threadBudget: _b,
      on: _l,
      ...rest
    } = dispatch.request;
    const again = { ...rest, text: dispatch.text, thread: dispatch.threadId };
    const { dispatch: made } = await this.submit(again, {
      actor,
      retryOf: id,
      idempotencyKey,
      ...given({ parent: dispatch.parent }),
    });
    return made;
  }

  /** Commits the work; where there is room, it is claimed in the same unit, so that it starts a commit earlier. */
  async #insert(
    dispatch: NewDispatch,
    thread: NewPlace | null,
    together: readonly Operation[],
  ): Promise<void> {
    const { store, dispatcher } = this.#parts;
    const limit = Math.max(0, Math.min(1, dispatcher.room));
    await dispatcher.claiming(limit, async (claim) => {
      const insert = { do: 'insertDispatch', dispatch } as const;
      if (thread) {
        const result = await store.commit({
          operations: [
            { do: 'insertThread', thread: thread.row, ...given({ worker: thread.worker }) },
            insert,
            claim,
            ...together,
          ],
        });
        if (result.committed) return result.results[2];
        throw new ChangeRefused(dispatch.threadId, result.refusal);
      }
      const result = await store.commit({ operations: [insert, claim, ...together] });
      if (result.committed) return result.results[1];
      throw new ChangeRefused(dispatch.threadId, result.refusal);
    });
  }

  #newDispatch(request: DispatchRequest, threadId: ThreadId, by: Submission): NewDispatch {
    const { text, title, priority = 0, notBefore, labels } = request;
    return {
      id: this.#parts.newDispatchId(),
      threadId,
      text,
      actor: by.actor,
      state: 'queued',
      priority,
      request,
      createdAt: instant(this.#parts.clock),
      ...given({
        title,
        notBefore,
        labels,
        idempotencyKey: by.idempotencyKey,
        retryOf: by.retryOf,
        parent: by.parent,
      }),
    };
  }

  async #stored(id: DispatchId): Promise<StoredDispatch> {
    const dispatch = await this.#parts.store.query('dispatch', { id });
    if (!dispatch) throw new Failure('not_found', `There is no dispatch ${id}.`);
    return dispatch;
  }
}

/** A dispatch without what is only the host's: the request may hold an environment. */
function shown(dispatch: StoredDispatch): Dispatch {
  const { request, allowance } = dispatch;
  const budget = request.budget && withRaise(request.budget, allowance?.raised.work);
  return Dispatch.parse({ ...dispatch, ...given({ onSuccess: request.onSuccess, budget }) });
}

function begun(id: DispatchId): Failure {
  return new Failure('conflict', `${id} has begun or ended already, so it cannot be changed any more.`);
}

function sameWork(earlier: StoredDispatch, request: DispatchRequest) {
  if (!isDeepStrictEqual(earlier.request, request))
    throw new Failure('conflict', `This Idempotency-Key was already used for different work: ${earlier.id}.`);
  return { dispatch: shown(earlier), isNew: false };
}

function obstacle(error: unknown): StoredDispatch | null {
  if (!(error instanceof ChangeRefused) || error.refusal.because !== 'condition') return null;
  const { current } = error.refusal;
  return 'dispatch' in current ? current.dispatch : null;
}

/** Whether no process is there that could still be given an answer. */
function isAway({ run }: ThreadState): boolean {
  return run === null || run.facts.waitingCall.state === 'parked';
}
