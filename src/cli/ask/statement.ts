import { askText } from '../../domain/words/ask-text.js';
import { type Asker, askWords } from '../../domain/words/ask-words.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';

/** What a prompt asks, without the choices that a list below it shows; a plan is shown as the text it is. */
export function statement(prompt: Prompt, asker: Asker | undefined): string {
  const { kind, questions } = prompt;
  if (kind !== 'ask_user_question') return askText(prompt, asker);
  const isOne = questions.length === 1;
  const listed = isOne ? [] : questions.map(({ question }, place) => `${place + 1}) ${plainText(question)}`);
  return [askWords(prompt, asker), ...listed].join('\n');
}
