import type { AskToSave } from './proposed-file.js';
import type { CommentStore } from './review-comment.js';

/** The folder an agent works in, and everything its tools may touch beyond that folder. */
export interface ToolWorkspace {
  readonly cwd: string;
  readonly conversationId: string;
  /** Read at every call, because a runtime names its session late and renames it when it forks. */
  readonly sessionId: string | undefined;
  readonly targetBranch?: string | undefined;
  /** Whether the tools for Linear are among the tools; they are unless this says no. */
  readonly offersLinear?: boolean;
  readonly linearIssue?: string | undefined;
  readonly linearApiKey?: string | undefined;
  readonly linearApiUrl?: string | undefined;
  /** Where review comments are kept with a thread; without it they are in a file of the workspace. */
  readonly comments?: CommentStore | undefined;
  /** Puts a file to a person before it is saved; without it nobody can be asked, and nothing is saved. */
  readonly askToSave?: AskToSave | undefined;
  /** Git gets PATH, HOME and XDG_CONFIG_HOME of it and nothing else. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  now(): Date;
  newId(): string;
}
