import type { Posture, RuntimeName } from '../protocol/posture.js';

/** What of an agent's session outlived its process; the next life of the session knows this and no more. */
export interface SavedSession {
  /** Whether it holds what came of a tool call. */
  hasResult(toolUseId: string): boolean;
  /** Whether it holds a message that was given to that run. */
  hasMessage(uuid: string): boolean;
}

/** The session of a run whose processes are gone. */
export interface EndedSession {
  readonly runtime: RuntimeName;
  readonly sessionId: string;
  readonly posture: Posture;
  /** The value of the marker that the run's processes carried. */
  readonly run: string;
}

/** Looks at what was saved: null when nothing was, undefined when nobody can tell. */
export type ReadSavedSession = (session: EndedSession) => Promise<SavedSession | null | undefined>;
