import { isHeldBack, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { PromptId } from '../../protocol/id.js';
import { longestHoldSeconds } from '../../protocol/prompt.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../clock.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { PromptService } from './prompt-service.js';

const againMs = 1000;

export interface HeldAnswersParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly prompts: PromptService;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Accepts answers that were held back, each as soon as it can no longer be undone, also those of an earlier worker. */
export class HeldAnswers implements AsyncDisposable {
  readonly #parts: HeldAnswersParts;
  readonly #timers = new Map<PromptId, NodeJS.Timeout>();
  readonly #accepting = new Set<Promise<void>>();
  #listening: Disposable | undefined;

  constructor(parts: HeldAnswersParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { store, changes } = this.#parts;
    this.#listening = changes.listen(({ state }) => {
      for (const prompt of state.prompts) this.#note(prompt);
    });
    let cursor: string | undefined;
    do {
      const page = await store.query('prompts', { heldBack: true, own: true, ...given({ cursor }) });
      for (const prompt of page.rows) this.#note(prompt);
      cursor = page.next;
    } while (cursor !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#accepting);
  }

  #note(prompt: Pick<ThreadPrompt, 'id' | 'state' | 'acceptedAt' | 'undoUntil'>): void {
    const { id, undoUntil } = prompt;
    if (undoUntil === undefined || !isHeldBack(prompt)) {
      clearTimeout(this.#timers.get(id));
      this.#timers.delete(id);
    } else if (!this.#timers.has(id)) {
      // A clock that was set back makes nobody wait longer.
      const ms = Date.parse(undoUntil) - this.#parts.clock.now();
      this.#wait(id, Math.min(Math.max(ms, 0), longestHoldSeconds * 1000));
    }
  }

  #wait(id: PromptId, ms: number): void {
    const timer = setTimeout(() => {
      const accepting = this.#accept(id).finally(() => this.#accepting.delete(accepting));
      this.#accepting.add(accepting);
    }, ms);
    this.#timers.set(id, timer);
  }

  async #accept(id: PromptId): Promise<void> {
    const { prompts, log } = this.#parts;
    this.#timers.delete(id);
    try {
      await prompts.acceptHeld(id);
    } catch (error) {
      log(`The answer to ${id} could not be accepted yet: ${errorSentence(error)}`);
      if (this.#listening) this.#wait(id, againMs);
    }
  }
}
