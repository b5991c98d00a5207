import type { SavedSession } from '../run/saved-session.js';
import { decisionIn, isConsent, type ThreadPrompt } from './thread-prompt.js';

/** Whether a session holds what came of the call that asked, and what the person said to it. */
export function isAnswerSaved(prompt: ThreadPrompt, toolUseId: string, saved: SavedSession): boolean {
  if (!saved.hasResult(toolUseId)) return false;
  // What was approved may be done all the same; what was only said is not there.
  if (!isConsent(prompt) && saved.isCutOff?.(toolUseId)) return false;
  if (prompt.state === 'cancelled' && !(saved.hasSilence?.(toolUseId) ?? true)) return false;
  const words = isConsent(prompt) ? undefined : decisionIn(prompt)?.message;
  return words === undefined || (saved.hasWords?.(toolUseId, words) ?? true);
}
