import type { EventBody } from '../../protocol/event.js';
import { WorkEvidence } from '../work-evidence.js';
import { codexErrorKind } from './turn-error.js';
import type { WireNotification } from './wire.js';

type Failing = Extract<WireNotification, { kind: 'error' }>['params'];

/** Turns what Codex says, and the facts made of it, into evidence about what it is doing. */
export class CodexEvidence extends WorkEvidence {
  #alive = false;

  constructor(now: () => number) {
    super('codex', now);
  }

  /** The app server has answered: its first sign of life. */
  signOfLife(): EventBody<'status_evidence'>[] {
    if (this.#alive) return [];
    this.#alive = true;
    return [this.report('sign_of_life', 'initialize')];
  }

  /** Which retry it is stands in its words only: `Reconnecting... 1/5` (measured). */
  #retriedBy(
    { threadId, willRetry, error }: Failing,
    mainThread: string | null,
  ): EventBody<'status_evidence'>[] {
    if (threadId !== mainThread || !willRetry || codexErrorKind(error) === 'auth') return [];
    const [, attempt = '1', of] = /\b(\d{1,4})\/(\d{1,4})\b/.exec(error.message) ?? [];
    return this.retried({ attempt: Number(attempt), of: of === undefined ? undefined : Number(of) }, 'error');
  }

  /** The state that Codex itself gives its thread. */
  ofNotification(notification: WireNotification, threadId: string | null): EventBody<'status_evidence'>[] {
    if (notification.kind === 'error') return this.#retriedBy(notification.params, threadId);
    if (notification.kind !== 'thread/status/changed' || notification.params.threadId !== threadId) return [];
    const { type, activeFlags = [] } = notification.params.status;
    switch (type) {
      case 'active':
        return [this.report(activeFlags.length > 0 ? 'said_asking' : 'said_busy', 'thread_status')];
      // After an error that ended its turn a thread takes the next message like an idle one (measured).
      case 'idle':
      case 'systemError':
        return [this.report('said_idle', 'thread_status')];
      default:
        return [];
    }
  }
}
