import type { ObservedSession } from '../../protocol/observed.js';
import { plainLine } from './plain-text.js';

/** What an observed agent asks, or why it has its status; a guess is called one. */
export function observedWords({ status }: Pick<ObservedSession, 'status'>): string {
  const words = status.state === 'question' && status.prompt ? `“${status.prompt}”` : status.why;
  return plainLine(status.confidence === 'weak' ? `${words} (a guess)` : words);
}
