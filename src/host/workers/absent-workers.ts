import { isAbsenceWhy } from '../../domain/words/absence-words.js';
import { isGone, type Sight, seen } from '../../domain/worker/absence.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { PipelineId, type WorkerId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredWorker } from '../../store/stored-worker.js';
import type { Clock } from '../clock.js';
import type { Dispatcher } from '../dispatches/dispatcher.js';
import type { DutyTakeOver } from './duty-take-over.js';
import { openStates, type ThreadTakeOver } from './thread-take-over.js';

const mostBetweenLooksMs = 10_000;

export interface AbsentWorkersParts {
  readonly store: Store;
  readonly takeOver: ThreadTakeOver;
  readonly duties: DutyTakeOver;
  readonly dispatcher: Pick<Dispatcher, 'room' | 'takeUp' | 'poke'>;
  readonly clock: Clock;
  /** How long this worker's own lease lasts; it looks a few times in that time. */
  readonly leaseMs: number;
  readonly log: (line: string) => void;
}

/**
 * Looks whether the other workers of the store live. What one had that shows no sign of life for so long that nothing of it
 * can run any more is taken over where that is possible, and waits for it elsewhere.
 */
export class AbsentWorkers implements AsyncDisposable {
  readonly #parts: AbsentWorkersParts;
  readonly #sights = new Map<WorkerId, Sight>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: AbsentWorkersParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { store, leaseMs } = this.#parts;
    if (!store.isShared) return;
    await this.#forgetOwnAbsence();
    this.#timer = setInterval(() => this.#look(), Math.min(mostBetweenLooksMs, leaseMs / 3));
    this.#look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) =>
        this.#parts.log(`Other workers could not be looked at: ${errorSentence(error)}`),
      )
      .finally(() => {
        this.#looking = null;
      });
  }

  async #lookOnce(): Promise<void> {
    const { store, clock } = this.#parts;
    const workers = await store.query('workers', {});
    // After the answer: what was written while it was on its way must not make somebody look older than it is.
    const now = clock.monotonic();
    const self = workers.find(({ id }) => id === store.worker.id);
    for (const worker of workers) {
      if (worker.id === store.worker.id) continue;
      const sign = `${worker.epoch} ${worker.heartbeatAt}`;
      const sight = seen(this.#sights.get(worker.id), { sign, now });
      this.#sights.set(worker.id, sight);
      const hasGone = isGone(sight, { goneAfterMs: worker.profile?.goneAfterMs, now });
      const { drainingSince: _of, ...silent } = worker;
      // What one that drains has at rest goes on elsewhere at once; the rest of it ends there.
      const from = hasGone ? silent : worker;
      if (hasGone || worker.drainingSince !== undefined)
        await this.#takeOverFrom(from, self?.name ?? store.worker.id);
    }
  }

  async #takeOverFrom(from: StoredWorker, by: string): Promise<void> {
    const { store, duties, dispatcher } = this.#parts;
    await duties.take({ from, by });
    for (const state of openStates) {
      let cursor: string | undefined;
      do {
        const page = await store.query('dispatches', { state, ofWorker: from.id, ...given({ cursor }) });
        for (const dispatch of page.rows) {
          if (this.#isClosed) return;
          // What others have room for is left to them.
          if (state === 'waiting' || dispatcher.room > 0) await this.#goOnWith(dispatch, { from, by });
        }
        cursor = page.next;
      } while (cursor !== undefined);
    }
  }

  async #goOnWith(
    dispatch: StoredDispatch,
    { from, by }: { readonly from: StoredWorker; readonly by: string },
  ): Promise<void> {
    const { store, takeOver, duties, dispatcher, log } = this.#parts;
    if (await duties.isOfOthersPipeline(PipelineId.safeParse(dispatch.labels?.['pipeline']).data)) return;
    const thread = await store.query('thread', { id: dispatch.threadId });
    if (!thread) return;
    const whyNot = takeOver.whyNot(thread, from);
    const isDraining = from.drainingSince !== undefined;
    if (!isDraining && (whyNot === 'elsewhere' || whyNot === 'terminal'))
      return await takeOver.tellAbsence(dispatch, from);
    if (whyNot !== null || (isDraining && dispatch.state === 'running')) return;
    if (!(await takeOver.take(dispatch.threadId, { from, by }))) return;
    log(
      `${dispatch.id}: taken over from ${from.name}, which ${isDraining ? 'takes no new work' : 'does not answer'}`,
    );
    const taken = await store.query('dispatch', { id: dispatch.id });
    if (taken?.state === 'waiting') await dispatcher.takeUp(taken);
    dispatcher.poke();
  }

  /** Others said that this worker is gone; it is back. */
  async #forgetOwnAbsence(): Promise<void> {
    const { store } = this.#parts;
    for (const state of openStates) {
      const { rows } = await store.query('dispatches', { state, own: true, limit: 1000 });
      for (const { id, why } of rows) {
        if (!isAbsenceWhy(why)) continue;
        const usual = state === 'waiting' ? 'the agent is waiting for an answer' : null;
        await store.commit({
          operations: [
            { do: 'patchDispatch', dispatchId: id, patch: { why: usual }, if: { state: [state] } },
          ],
        });
      }
    }
  }
}
