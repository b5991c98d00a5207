import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { reasonSentence } from '../../domain/words/settlement-words.js';
import { asObject } from './answer-message.js';

/** That nobody answers, in words, for an agent that is not waiting inside a tool call any more. */
export function withdrawalMessage({ kind, action, questions, carry, reason }: ThreadPrompt): string {
  const why = reason === undefined || reason === 'cancelled' ? '' : ` (${reasonSentence(reason)})`;
  if (kind === 'approval') {
    const what = action ? `use ${action.tool} with ${JSON.stringify(action.input)}` : 'do something';
    return `You asked to ${what}. Nobody answered${why}, so it is not approved. Do not do it.\n\nContinue your work.`;
  }
  const asked = questions.map(({ question }) => `Question: ${question}`).join('\n');
  const left =
    carry === undefined ? '' : `\n\n${JSON.stringify({ ...asObject(carry), answer: null }, undefined, 2)}`;
  return `Nobody answered your question${why}.\n\n${asked}${left}\n\nContinue your work without the answer.`;
}
