import type { RunFacts } from '../run/run-facts.js';
import type { Start } from './retry-policy.js';

/** Whether the next try of some work begins in a session that knows nothing of the tries before. */
export function forgetsEarlierTries(work: {
  readonly begins: Start;
  readonly tries: number;
  /** The runtime continues a session after its process has ended. */
  readonly canResume: boolean;
  /** The newest run of the thread, whether it lives or not. */
  readonly newest: { readonly session: RunFacts['session']['state']; readonly isAlive: boolean } | null;
}): boolean {
  const { begins, tries, canResume, newest } = work;
  // An agent without sessions has a life for each message, and its question is given back to it as it was left.
  const hasSessions = canResume || newest?.session === 'open';
  if (tries === 0 || !hasSessions) return false;
  return begins === 'fresh' || (!canResume && newest?.isAlive === false);
}
