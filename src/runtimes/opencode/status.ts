import type { EventBody } from '../../protocol/event.js';
import type { StatusFact } from '../../protocol/status.js';
import { WorkEvidence } from '../work-evidence.js';
import { opencodeErrorKind } from './turn-error.js';
import type { WireEvent } from './wire.js';

/** Turns what OpenCode says, and the facts made of it, into evidence about what it is doing. */
export class OpencodeEvidence extends WorkEvidence {
  #said: StatusFact | null = null;

  constructor(now: () => number) {
    super('opencode', now);
  }

  /** The state that OpenCode itself gives its session; it repeats itself, and is told when it changes. */
  ofEvent(event: WireEvent, sessionId: string | null): EventBody<'status_evidence'>[] {
    if (event.kind === 'server.connected') return [this.report('sign_of_life', 'server')];
    const retried = this.#retriedBy(event, sessionId);
    const said = saidBy(event, sessionId);
    if (retried.length > 0 && said === this.#said) return retried;
    if (said === null || said === this.#said) return [];
    this.#said = said;
    return [this.report(said, 'session'), ...retried];
  }

  #retriedBy(event: WireEvent, sessionId: string | null): EventBody<'status_evidence'>[] {
    if (event.kind !== 'session.status' || event.properties.sessionID !== sessionId) return [];
    const { type, attempt = 1, message = '' } = event.properties.status;
    const isOutage = type === 'retry' && opencodeErrorKind({ message }) !== 'auth';
    return isOutage ? this.retried({ attempt }, 'session') : [];
  }
}

function saidBy(event: WireEvent, sessionId: string | null): StatusFact | null {
  switch (event.kind) {
    case 'permission.asked':
    case 'question.asked':
      return 'said_asking';
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return 'said_busy';
    case 'session.status':
      if (event.properties.sessionID !== sessionId) return null;
      return event.properties.status.type === 'idle' ? 'said_idle' : 'said_busy';
    default:
      return null;
  }
}
