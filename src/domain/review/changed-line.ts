import type { Hunk } from '../../protocol/changes.js';
import type { CommentSide } from '../../protocol/review-comment.js';

/** A line of a change, with its numbers in the two versions of the file; a remark of git's has none. */
export interface ChangedLine {
  readonly kind: 'same' | 'added' | 'removed' | 'remark';
  readonly old?: number;
  readonly new?: number;
  readonly text: string;
}

/** The lines of a hunk, numbered. */
export function changedLines({ oldStart, newStart, lines }: Hunk): ChangedLine[] {
  let [before, after] = [oldStart, newStart];
  return lines.map((line) => {
    const text = line.slice(1);
    switch (line.charAt(0)) {
      case '+':
        return { kind: 'added', new: after++, text };
      case '-':
        return { kind: 'removed', old: before++, text };
      case '\\':
        return { kind: 'remark', text: text.trim() };
      default:
        return { kind: 'same', old: before++, new: after++, text };
    }
  });
}

/** The line that somebody means, where it is among those that changed or stand beside them. */
export function findLine(
  hunks: readonly Hunk[],
  { line, side }: { readonly line: number; readonly side: CommentSide },
): ChangedLine | undefined {
  for (const hunk of hunks) {
    const [start, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    if (line >= start && line < start + count) return changedLines(hunk).find((each) => each[side] === line);
  }
  return undefined;
}
