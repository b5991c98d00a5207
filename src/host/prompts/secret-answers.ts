import { isOpen } from '../../domain/prompts/thread-prompt.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { PromptActor, QuestionAnswer } from '../../protocol/prompt.js';
import type { ThreadState } from '../threads/thread-state.js';

/** A secret that somebody gave, on its way to the agent that asks for it. */
export interface SecretAnswer {
  readonly threadId: ThreadId;
  readonly actor: PromptActor;
  readonly answers: readonly QuestionAnswer[];
}

/**
 * Secrets that were given and that their agents do not have yet. They are here and nowhere else: a worker that stops
 * forgets them, and their prompts are still open then.
 */
export class SecretAnswers {
  readonly #kept = new Map<PromptId, SecretAnswer>();

  keep(promptId: PromptId, answer: SecretAnswer): void {
    this.#kept.set(promptId, answer);
  }

  of(promptId: PromptId): SecretAnswer | undefined {
    return this.#kept.get(promptId);
  }

  has(promptId: PromptId): boolean {
    return this.#kept.has(promptId);
  }

  forget(promptId: PromptId): void {
    this.#kept.delete(promptId);
  }

  /** Forgets what a thread does not wait for any more. */
  forgetSettled({ thread, prompts }: ThreadState): void {
    for (const [id, { threadId }] of this.#kept) {
      if (threadId !== thread.id) continue;
      if (!prompts.some((prompt) => prompt.id === id && isOpen(prompt))) this.#kept.delete(id);
    }
  }
}
