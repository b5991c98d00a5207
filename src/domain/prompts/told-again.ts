import { asksForSecret, isConsent, type ThreadPrompt } from './thread-prompt.js';

/**
 * Whether an answer may be told a second time to an agent that has forgotten it: not a consent, whose action may be done, and
 * not a secret, which nobody has any more.
 */
export function isTellable(prompt: Pick<ThreadPrompt, 'kind' | 'questions' | 'answers'>): boolean {
  return !isConsent(prompt) && !asksForSecret(prompt);
}

/**
 * Whether a used answer is told to a session that begins anew. What a policy denied it denies again, and the worker's own
 * questions were never the agent's.
 */
export function isToldToNewSession(
  prompt: Pick<ThreadPrompt, 'kind' | 'questions' | 'answers' | 'actor' | 'consumedAt'>,
): boolean {
  const { kind, questions, actor = '', consumedAt } = prompt;
  if (consumedAt === undefined || !isTellable(prompt)) return false;
  if (questions.some(({ byWorker }) => byWorker)) return false;
  return kind !== 'approval' || !actor.startsWith('policy:');
}
