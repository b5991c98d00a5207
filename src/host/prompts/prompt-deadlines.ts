import { outcomeOf, unansweredEnding } from '../../domain/dispatch/outcome.js';
import { isHeldBack, isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { afterSilence, type Silence } from '../../domain/prompts/unanswered.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import { RepeatedLook } from '../repeated-look.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { Interruption } from '../runs/interruption.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { SecretAnswers } from './secret-answers.js';
import { promptChange, promptsIn } from './thread-prompts.js';

const lookMs = 1000;
const by = 'policy:deadline';

export interface PromptDeadlinesParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly secrets: SecretAnswers;
  readonly dispatches: DispatchService;
  readonly interruption: Interruption;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Does what was said about prompts that nobody answers, with those whose time is over. */
export class PromptDeadlines implements AsyncDisposable {
  readonly #parts: PromptDeadlinesParts;
  readonly #looks: RepeatedLook;

  constructor(parts: PromptDeadlinesParts) {
    this.#parts = parts;
    this.#looks = new RepeatedLook(async () => await this.#look(), lookMs);
  }

  /** Looks from now on, once a second. */
  open(): void {
    this.#looks.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looks[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      const { rows } = await store.query('prompts', {
        open: true,
        own: true,
        deadlineBefore: instant(clock),
      });
      for (const prompt of rows) await this.#expire(prompt, afterSilence(prompt));
    } catch (error) {
      log(errorSentence(error));
    }
  }

  async #expire({ id, threadId }: ThreadPrompt, silence: Silence): Promise<void> {
    const { store, changes, delivery, interruption, secrets, clock } = this.#parts;
    if (silence.do === 'wait') return;
    // In one change: a worker that is killed in between would leave work that goes on without its answer.
    if (silence.do === 'fail') await this.#failWork({ id, threadId });
    await changes.commit(threadId, async (state) => {
      const prompt = await store.query('prompt', { id });
      // Somebody has answered in time, even if they may still take it back.
      if (!prompt || !isOpen(prompt) || isHeldBack(prompt) || secrets.has(id)) return null;
      const prompts = promptsIn(state);
      if (silence.do === 'answer')
        prompts.accept(prompt, { actor: by, at: instant(clock), answers: silence.answers });
      else if (silence.do === 'fail') prompts.fail(prompt, 'deadline', by);
      else prompts.cancel(prompt, 'deadline', by);
      return promptChange(state, prompts, undefined);
    });
    const settled = await store.query('prompt', { id });
    // Otherwise somebody was faster.
    if (!settled || settled.actor !== by || isHeldBack(settled)) return;
    if (silence.do === 'answer') delivery.answer(settled);
    else delivery.withdraw(settled);
    if (silence.do === 'fail') await interruption.interrupt(threadId);
  }

  /** Ends the work of a prompt that was to be answered and was not, with the prompt; not if it was answered meanwhile. */
  async #failWork({ id, threadId }: Pick<ThreadPrompt, 'id' | 'threadId'>): Promise<void> {
    await this.#parts.dispatches.callOffThread(threadId, {
      outcome: outcomeOf(unansweredEnding),
      promptReason: 'deadline',
      unless: (prompts) => {
        const prompt = prompts.prompts.find((each) => each.id === id);
        if (!prompt || !isOpen(prompt) || isHeldBack(prompt) || this.#parts.secrets.has(id)) return true;
        prompts.fail(prompt, 'deadline', by);
        return false;
      },
    });
  }
}
