import type { Finding } from '../domain/preflight/finding.js';
import type { Said, SavedSessionEntry } from '../domain/run/terminal-session.js';
import type { LivingSession } from '../domain/status/living-session.js';
import type { RuntimeReport } from '../protocol/api.js';
import type { CommandType } from '../protocol/command.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { TerminalCommand } from '../protocol/terminal.js';
import type { ReadSavedSession } from './recovery/saved-session.js';
import type { StartRequest } from './runs/preflight.js';

/** What a runtime may be able to do, as far as the worker decides by it. */
export type RuntimeAbility = 'approvals' | 'editedInput' | 'denyWithMessage' | 'resume';

/** What the worker knows of runtimes without loading one. */
export interface RuntimeCatalog {
  /** Throws a Failure when the runtime cannot be launched so, before anything is started. */
  checkLaunch(runtime: RuntimeName, posture: Posture): void;
  /** Throws a Failure when the runtime's program is not there. */
  expectInstalled(runtime: RuntimeName, posture: Posture): void;
  /** What is wrong with a start before anything is started; quick. */
  findings(start: StartRequest): Promise<readonly Finding[]>;
  /** The same, and what the runtime's program says when it is asked. */
  thoroughFindings(start: StartRequest): Promise<readonly Finding[]>;
  /** Throws a Failure when the image of its container is not there, or its engine does not answer. */
  expectImage(posture: Posture): Promise<void>;
  /** Removes what is left of containers whose runner is gone. */
  sweepContainers(posture: Posture): Promise<void>;
  /** The command line of a runtime that is started by one, where the user's settings have it and not the work. */
  commandOf(runtime: RuntimeName): string | undefined;
  can(runtime: RuntimeName, ability: RuntimeAbility): boolean;
  /** Whether its running agent takes this command. */
  obeys(runtime: RuntimeName, command: CommandType): boolean;
  /** Which runtimes are there, in which versions. */
  report(): Promise<readonly RuntimeReport[]>;
  readonly savedSession: ReadSavedSession;
  /** The sessions that people have open in the runtimes' own programs now. */
  livingSessions(now: number): readonly LivingSession[];
  readonly terminals: TerminalCatalog;
}

/** A runtime's session, as it was or will be launched. */
interface LaunchedSession {
  readonly runtime: RuntimeName;
  readonly posture: Posture;
  readonly sessionId: string;
}

/** The runtimes' own terminal programs and stores of sessions; what is saved there is anybody's text. */
export interface TerminalCatalog {
  /** Whether a session of this runtime can be opened in a terminal. */
  has(runtime: RuntimeName): boolean;
  /** What to start; throws a Failure when the program is not there. */
  command(session: LaunchedSession & { readonly cwd: string }): TerminalCommand;
  /** Where a session ends now; null when there is none. */
  mark(session: LaunchedSession): Promise<string | null>;
  /** What a session holds after a mark, or from its beginning. */
  said(session: LaunchedSession & { readonly after?: string }): Promise<Said>;
  /** The session that a program has now; null where nobody can tell. */
  current(program: Omit<LaunchedSession, 'sessionId'>, pid: number): string | null;
  /** The newest sessions that people have started, so many of each runtime. */
  list(limit: number): Promise<readonly SavedSessionEntry[]>;
}
