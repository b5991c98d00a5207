import { leaveIt, tryAgain } from '../../domain/dispatch/escalation.js';
import { useOwn } from '../../domain/prompts/own-prompt.js';
import { isOnItsWay, isOpen } from '../../domain/prompts/thread-prompt.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import { type Clock, instant } from '../clock.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { DispatchService } from './dispatch-service.js';

export interface EscalationsParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly dispatches: DispatchService;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Does what people decide about work that failed for good; what was decided while no worker ran is done by the next. */
export class Escalations implements AsyncDisposable {
  readonly #parts: EscalationsParts;
  readonly #queue = new KeyedQueue<ThreadId>();
  #listening: Disposable | undefined;
  #acting: Promise<unknown> = Promise.resolve();

  constructor(parts: EscalationsParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { changes, store } = this.#parts;
    this.#listening = changes.listen(({ state }) => this.#changed(state));
    const { rows } = await store.query('dispatches', { isUndecided: true, own: true, limit: 1000 });
    for (const { threadId } of rows) this.#act(threadId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    await this.#acting;
  }

  #changed({ thread, prompts }: ThreadState): void {
    const isDecided = prompts.some(
      (prompt) => isOnItsWay(prompt) && prompt.questions.some(({ byWorker }) => byWorker),
    );
    if (isDecided) this.#act(thread.id);
  }

  #act(threadId: ThreadId): void {
    const acting = this.#queue.run(threadId, async () => await this.#decideIn(threadId));
    this.#acting = Promise.allSettled([this.#acting, acting]);
  }

  async #decideIn(threadId: ThreadId): Promise<void> {
    try {
      const { rows } = await this.#parts.store.query('dispatches', { threadId, isUndecided: true });
      for (const dispatch of rows) await this.#decide(dispatch);
    } catch (error) {
      this.#parts.log(`${threadId}: ${errorSentence(error)}`);
    }
  }

  async #decide({ id, threadId, state, decision }: StoredDispatch): Promise<void> {
    const { store, changes, dispatches, clock } = this.#parts;
    // Work that is held at its budget looks for itself.
    if (decision === undefined || state !== 'ended') return;
    const prompt = await store.query('prompt', { id: decision });
    if (prompt && isOpen(prompt)) return;
    const [said = leaveIt] = prompt?.answers?.[0]?.answer ?? [];
    // Killed before the next commit, the same decision finds the work that it made.
    if (prompt && isOnItsWay(prompt) && said === tryAgain)
      await dispatches.retry(id, prompt.actor ?? 'worker', `decision ${decision}`);
    await changes.commit(threadId, (state) => {
      const used = prompt && isOnItsWay(prompt) ? useOwn(state.prompts, prompt, instant(clock)) : null;
      return {
        operations: [
          { do: 'patchDispatch', dispatchId: id, patch: { decision: null } },
          ...(used?.changes ?? []),
        ],
        events: used?.events ?? [],
        state: { ...state, prompts: used?.prompts ?? state.prompts },
        result: undefined,
      };
    });
  }
}
