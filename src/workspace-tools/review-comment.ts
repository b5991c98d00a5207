import { z } from 'zod';
import { type AgentsView, CommentSeverity } from '../protocol/review-comment.js';
import { Journal } from './journal.js';
import type { ToolWorkspace } from './workspace.js';

/** A remark on one line of one file, as it stands in the file of a workspace that no worker looks after. */
const JournalledComment = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number().int().positive(),
  body: z.string(),
  severity: CommentSeverity.optional(),
  conversationId: z.string(),
  sessionId: z.string().optional(),
  createdAt: z.string(),
});
type JournalledComment = z.infer<typeof JournalledComment>;

/** A comment as the tools show it, wherever it is kept. */
export type ListedComment = JournalledComment | AgentsView;

/** What the agent says about a line. */
export type SaidComment = Pick<AgentsView, 'file' | 'line' | 'body' | 'severity'>;

/** Where comments are kept: with the thread where a worker looks after it, else in a file of the workspace. */
export interface CommentStore {
  /** Stores a comment; gives a warning when the file could not be kept out of `git status`. */
  add(said: SaidComment): Promise<{ readonly comment: ListedComment; readonly warning?: string | undefined }>;
  /** Oldest first; lines that are torn or not ours are counted. */
  list(): Promise<{ readonly comments: readonly ListedComment[]; readonly unreadable: number }>;
}

/** The review comments that the tools of a workspace read and write. */
export function reviewComments(workspace: ToolWorkspace): CommentStore {
  return workspace.comments ?? journalledComments(workspace);
}

function journalledComments(workspace: ToolWorkspace): CommentStore {
  const journal = new Journal(workspace, { file: 'review-comments.jsonl', schema: JournalledComment });
  return {
    async add(said) {
      const { conversationId, sessionId } = workspace;
      const comment: JournalledComment = {
        id: workspace.newId(),
        ...said,
        conversationId,
        ...(sessionId === undefined ? {} : { sessionId }),
        createdAt: workspace.now().toISOString(),
      };
      return { comment, warning: await journal.append(comment) };
    },
    async list() {
      const { facts, unreadable } = await journal.read();
      return { comments: facts, unreadable };
    },
  };
}
