import type { SavedSession } from '../../domain/run/saved-session.js';
import type { SentMessage } from '../../domain/run/sent-message.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';

/** The session of a run whose processes are gone. */
export interface EndedSession {
  readonly runtime: RuntimeName;
  readonly sessionId: string;
  readonly posture: Posture;
  readonly cwd: string;
  /** Everything that the thread has told its agents, the oldest first. */
  readonly messages: () => Promise<readonly SentMessage[]>;
  /** The value of the marker that the run's processes carried. */
  readonly run: string;
}

/** Looks at what was saved: null when nothing was, undefined when nobody can tell. */
export type ReadSavedSession = (session: EndedSession) => Promise<SavedSession | null | undefined>;
