import { isOpen, isSecretGone, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { answerMessage } from './answer-message.js';
import { askAgainMessage, secretLostMessage } from './ask-again-message.js';
import { withdrawalMessage } from './withdrawal-message.js';

/** What an agent hears about its question, where no call of its waits for it. */
export function promptMessage(prompt: ThreadPrompt): string {
  if (prompt.isUntold) return withdrawalMessage(prompt);
  if (isOpen(prompt)) return askAgainMessage(prompt);
  return isSecretGone(prompt) ? secretLostMessage(prompt) : answerMessage(prompt);
}
