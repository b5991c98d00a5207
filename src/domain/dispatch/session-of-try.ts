import type { RunFacts } from '../run/run-facts.js';
import type { Start } from './retry-policy.js';

/** How much of what people answered for some work its next agent has to be told again. */
export type Forgotten =
  | 'nothing'
  /** Its session knows nothing of those before. */
  | 'everything'
  /** It has a life for each message, and keeps what it needs with its questions: the last one is given back as it was left. */
  | 'last_answer';

/** How much the next agent of some work has forgotten of what the ones before it were told. */
export function forgottenBy(work: {
  readonly begins: Start;
  readonly tries: number;
  /** The try is under way: a new session that it began with is its own. */
  readonly isUnderWay: boolean;
  /** An answer is still to be told. */
  readonly hasUntold: boolean;
  /** The runtime continues a session after its process has ended. */
  readonly canResume: boolean;
  /** The newest run of the thread, whether it lives or not. */
  readonly newest: { readonly session: RunFacts['session']['state']; readonly isAlive: boolean } | null;
}): Forgotten {
  const { begins, tries, isUnderWay, hasUntold, canResume, newest } = work;
  if (tries === 0) return 'nothing';
  if (!canResume && newest?.session !== 'open') return isUnderWay || hasUntold ? 'nothing' : 'last_answer';
  const beginsAnew = begins === 'fresh' && !isUnderWay;
  return beginsAnew || (!canResume && newest?.isAlive === false) ? 'everything' : 'nothing';
}
