import { given } from '../../protocol/given.js';
import type { PendingPromptItem, ResolvedPromptItem } from '../../protocol/item.js';
import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import { auditText, maskedAnswers, questionText } from './prompt-text.js';

/** The item that a thread gets when its agent asks. */
export function pendingItem(prompt: Prompt): PendingPromptItem {
  const { id, kind, questions, action, deadline } = prompt;
  return {
    content: [{ type: 'text', text: questionText(prompt) }],
    metadata: {
      type: 'pending_prompt',
      prompt: {
        prompt_id: id,
        kind,
        prompt_state: 'pending',
        questions,
        ...(action ? { action } : {}),
        ...given({ deadline }),
      },
    },
  };
}

/** The item that says how a prompt was settled; a secret answer is masked. */
export function resolvedItem(prompt: Prompt, decision?: ApprovalDecision): ResolvedPromptItem {
  const { id, kind, state, reason, actor } = prompt;
  if (state === 'pending') throw new RangeError(`${id} is not settled yet.`);
  return {
    content: [{ type: 'text', text: auditText(prompt, decision) }],
    metadata: {
      type: 'pending_prompt_resolved',
      prompt: {
        prompt_id: id,
        kind,
        prompt_state: state,
        answers: maskedAnswers(prompt),
        ...given({ decision }),
        reason: reason ?? null,
        ...given({ actor }),
      },
    },
  };
}
