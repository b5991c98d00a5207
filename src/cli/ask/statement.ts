import { plainText } from '../../domain/plain-text.js';
import { questionText } from '../../domain/prompt-text.js';
import type { Prompt } from '../../protocol/prompt.js';

/** What a prompt asks, without the choices that a list below it shows; a plan is shown as the text it is. */
export function statement(prompt: Prompt): string {
  const { kind, questions, action } = prompt;
  const plan = action?.tool === 'plan' ? action.input['plan'] : undefined;
  if (typeof plan === 'string') {
    const [question] = questions;
    return plainText(
      `The agent's plan:\n\n${plan.trim() || '(it is empty)'}\n\n❓ ${question?.question ?? 'Approve this plan?'}`,
    );
  }
  if (kind === 'ask_user_question') {
    const isOne = questions.length === 1;
    return questions
      .map(({ question }, place) => `❓ ${isOne ? '' : `${place + 1}) `}${plainText(question)}`)
      .join('\n');
  }
  // The last line says how to reply in words, which is not how it is done here.
  return plainText(questionText(prompt).split('\n').slice(0, -1).join('\n'));
}
