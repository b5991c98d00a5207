import type { EventBody } from '../../protocol/event.js';
import type { StatusFact } from '../../protocol/status.js';
import { WorkEvidence } from '../work-evidence.js';
import { isLoginRetry } from './translate.js';
import { isRecord, readMessage } from './wire.js';

const nothing: EventBody<'status_evidence'>[] = [];

const stated: Record<string, StatusFact> = {
  running: 'said_busy',
  idle: 'said_idle',
  requires_action: 'said_asking',
};

/** Turns what Claude Code says, and the facts made of it, into evidence about what it is doing. */
export class ClaudeEvidence extends WorkEvidence {
  #alive = false;

  constructor(now: () => number) {
    super('claude', now);
  }

  #apiRetry(raw: Record<string, unknown>): EventBody<'status_evidence'>[] {
    const read = readMessage(raw);
    if (read.kind !== 'system/api_retry' || isLoginRetry(read.message)) return nothing;
    const { attempt, max_retries: of } = read.message;
    return this.retried({ attempt, of }, 'api_retry');
  }

  /** Evidence in a raw message: its first sign of life, and the state that it states itself. */
  ofMessage(raw: unknown): EventBody<'status_evidence'>[] {
    if (this.#alive && !isRecord(raw)) return nothing;
    if (this.#alive && isRecord(raw) && raw['type'] === 'stream_event') return nothing;
    const evidence: EventBody<'status_evidence'>[] = [];
    if (!this.#alive) {
      this.#alive = true;
      evidence.push(this.report('sign_of_life', 'message'));
    }
    if (isRecord(raw) && raw['subtype'] === 'session_state_changed' && typeof raw['state'] === 'string') {
      const fact = stated[raw['state']];
      if (fact) evidence.push(this.report(fact, 'session_state'));
    }
    if (isRecord(raw) && raw['subtype'] === 'api_retry') evidence.push(...this.#apiRetry(raw));
    return evidence;
  }
}
