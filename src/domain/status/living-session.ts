import type { RuntimeName } from '../../protocol/posture.js';
import type { StatusEvidence } from '../../protocol/status.js';

/** A session that somebody has open in a runtime's own program, as the runtime's own files tell; all texts are anybody's. */
export interface LivingSession {
  readonly runtime: RuntimeName;
  readonly sessionId: string;
  readonly pid: number;
  /** With the pid it names the process. */
  readonly startTime: string;
  /** Whether this very process lives. */
  readonly isAlive: boolean;
  readonly workspace: string;
  readonly title: string;
  readonly evidence: readonly StatusEvidence[];
  /** What it asks, where that is known. */
  readonly asked?: string;
}
