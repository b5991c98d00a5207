import type { EventBody } from '../protocol/event.js';

/** Evidence about a process that tells nothing of what it does: only that it lives, and that it has ended. */
export function processEvidence(
  runtime: 'exec' | 'amp',
  fact: 'sign_of_life' | 'exited',
  now: number,
): EventBody<'status_evidence'> {
  return {
    type: 'status_evidence',
    fact,
    source: `${runtime}.process`,
    confidence: fact === 'exited' ? 'authoritative' : 'weak',
    at: new Date(now).toISOString(),
  };
}
