import type { RuntimeReport } from '../protocol/api.js';
import type { CommandType } from '../protocol/command.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { ReadSavedSession } from './recovery/saved-session.js';

/** What a runtime may be able to do, as far as the worker decides by it. */
export type RuntimeAbility = 'approvals' | 'editedInput' | 'denyWithMessage' | 'resume';

/** What the worker knows of runtimes without loading one. */
export interface RuntimeCatalog {
  /** Throws a Failure when the runtime cannot be launched so, before anything is started. */
  checkLaunch(runtime: RuntimeName, posture: Posture): void;
  /** Throws a Failure when the runtime's program is not there. */
  expectInstalled(runtime: RuntimeName, posture: Posture): void;
  /** The command line of a runtime that is started by one, where the user's settings have it and not the work. */
  commandOf(runtime: RuntimeName): string | undefined;
  can(runtime: RuntimeName, ability: RuntimeAbility): boolean;
  /** Whether its running agent takes this command. */
  obeys(runtime: RuntimeName, command: CommandType): boolean;
  /** Which runtimes are there, in which versions. */
  report(): Promise<readonly RuntimeReport[]>;
  readonly savedSession: ReadSavedSession;
}
