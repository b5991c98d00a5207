import type { CalledTool } from './workspace-tool.js';

/** A file that an agent wants saved in its workspace, whole. */
export interface ProposedFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** What it holds now; empty where there is none. */
  readonly before: string;
  readonly text: string;
  /** Why, in the agent's words. */
  readonly reason?: string | undefined;
}

/** What became of a proposal. */
export type ProposalReply =
  | { readonly kind: 'approved' }
  /** A person has said no; `message` is why. */
  | { readonly kind: 'denied'; readonly message?: string | undefined }
  /** Nobody has decided. */
  | { readonly kind: 'unanswered'; readonly why: string };

/** Asks a person whether a file may be saved. */
export type AskToSave = (file: ProposedFile, call: CalledTool) => Promise<ProposalReply>;
