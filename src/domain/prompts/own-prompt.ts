import type { PromptId } from '../../protocol/id.js';
import type { Question } from '../../protocol/question.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import { fingerprintText } from './fingerprint.js';
import type { PromptChange } from './prompt-change.js';
import { pendingItem, resolvedItem } from './prompt-item.js';
import { decisionIn, type ThreadPrompt } from './thread-prompt.js';

/** What a question of the worker's own does to a thread; no agent waits for the answer. */
export interface OwnPromptChange {
  readonly changes: readonly PromptChange[];
  readonly events: readonly ThreadEventBody[];
  readonly prompts: readonly ThreadPrompt[];
}

/** Asks a person something in a thread whose agent is at rest. */
export function askOwn(
  prompts: readonly ThreadPrompt[],
  asked: Pick<ThreadPrompt, 'id' | 'threadId' | 'createdAt'> & {
    readonly question: Question;
    readonly sha256: (text: string) => string;
  },
): OwnPromptChange {
  const { id, threadId, createdAt, question, sha256 } = asked;
  const questions = [{ ...question, byWorker: true as const }];
  const prompt = {
    id,
    threadId,
    kind: 'ask_user_question' as const,
    active: !prompts.some(({ active }) => active),
    questions,
    fingerprint: sha256(fingerprintText({ kind: 'ask_user_question', questions })),
    onUnanswered: 'wait' as const,
    createdAt,
  };
  const opened: ThreadPrompt = { ...prompt, state: 'pending' };
  return {
    changes: [{ do: 'openPrompt', prompt }],
    events: [{ type: 'prompt_asked', promptId: id, item: pendingItem(opened) }],
    prompts: [...prompts, opened],
  };
}

/** The worker has its answer, and acts on it in the same commit. */
export function useOwn(prompts: readonly ThreadPrompt[], prompt: ThreadPrompt, at: string): OwnPromptChange {
  const answered: ThreadPrompt = { ...prompt, state: 'answered', deliveredAt: at };
  const promptId: PromptId = prompt.id;
  return {
    changes: [
      { do: 'markDelivered', promptId, at },
      { do: 'markConsumed', promptId, at },
    ],
    events: [{ type: 'prompt_settled', promptId, item: resolvedItem(answered, decisionIn(answered)) }],
    prompts: prompts.filter(({ id }) => id !== promptId),
  };
}
