import type {
  ProgramCommand,
  Said,
  SavedSessionEntry,
  SessionPlace,
} from '../domain/run/terminal-session.js';
import type { Posture } from '../protocol/posture.js';

/** A session of a runtime, in its own store. */
export interface SessionInStore extends SessionPlace {
  readonly sessionId: string;
}

/** What is needed to find a runtime's program. */
export interface ProgramPlace extends SessionInStore {
  readonly cwd: string;
  readonly posture: Posture;
  readonly packageFolder: (name: string, from?: string) => string | null;
}

/** A runtime's own terminal program, and the store that it shares with the agents that we run. */
export interface RuntimeTerminal {
  /** The variables that say where its sessions lie; no others are handed to whoever opens a terminal. */
  readonly placeVariables: readonly string[];
  /** How its program opens a session; throws a Failure when it is not there. */
  command(place: ProgramPlace): ProgramCommand;
  /** Where a session ends now; null when there is none. What is saved is anybody's text. */
  mark(session: SessionInStore): Promise<string | null>;
  /** What a session holds after a place in it, or from its beginning. */
  said(session: SessionInStore & { readonly after?: string }): Promise<Said>;
  /** The session that the program with this pid has now, where it can be told and may have changed. */
  current?(place: SessionPlace & { readonly pid: number }): string | null;
  /** The sessions that people have started, newest first, so many at most. */
  list(place: SessionPlace & { readonly limit: number }): Promise<readonly SavedSessionEntry[]>;
}
