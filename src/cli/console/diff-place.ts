import type { ThreadId } from '../../protocol/id.js';
import type { CommentSide } from '../../protocol/review-comment.js';
import type { TextField } from '../terminal/text-field.js';
import type { ChangeRows } from './change-rows.js';

/** What a comment is being written about: a line, or a comment of one's own that is to say something else. */
export type CommentTarget =
  | {
      readonly kind: 'line';
      readonly file: string;
      readonly line: number;
      readonly side: CommentSide;
      readonly quote: string;
    }
  | { readonly kind: 'comment'; readonly id: string };

/** A comment that is being written. It survives a look at something else; `since` tells it from one that was written before at the same place. */
export interface CommentDraft {
  readonly field: TextField;
  readonly since: number;
}

export function draftKey(threadId: ThreadId, target: CommentTarget): string {
  return target.kind === 'comment'
    ? `${threadId} ${target.id}`
    : `${threadId} ${target.side} ${target.line} ${target.file}`;
}

/** A file that was ticked off, as it stood then. */
export function viewedKey({ threadId, revision }: ChangeRows, path: string): string {
  return `${threadId} ${revision} ${path}`;
}

/** Which row is chosen and which is the first one shown, whatever became of the rows since. */
export function inSight(
  { cursor, top }: { readonly cursor: number; readonly top: number },
  total: number,
  height: number,
): { readonly cursor: number; readonly top: number } {
  const chosen = Math.max(0, Math.min(cursor, total - 1));
  return {
    cursor: chosen,
    top: Math.max(0, Math.min(chosen, Math.max(top, chosen - Math.max(1, height) + 1))),
  };
}
