import type { Mark } from '../status/status-mark.js';
import type { PromptContent } from './ask-words.js';
import { promptKind } from './prompt-words.js';

/** What a prompt is, as a sign and a word. */
export function promptMark(prompt: PromptContent): Mark {
  const word = promptKind(prompt);
  const symbol = word === 'Plan' ? '≡' : word === 'Approval' ? '!' : '?';
  return { symbol, word, tone: 'ask' };
}
