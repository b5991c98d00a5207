import { diffWordsWithSpace } from 'diff';

/** A part of a line, from one character to another. */
export interface WordSpan {
  readonly from: number;
  readonly to: number;
}

/** Which words of a line went, and which came. */
export interface WordChange {
  readonly removed: readonly WordSpan[];
  readonly added: readonly WordSpan[];
}

const longestLine = 500;
const mostEdits = 60;
// Lines that share less than this have nothing to do with each other.
const leastShared = 0.3;

/** The words that differ between two lines; undefined where marking them would say nothing. */
export function wordChange(before: string, after: string): WordChange | undefined {
  if (before.length > longestLine || after.length > longestLine) return undefined;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (!parts) return undefined;
  const removed: WordSpan[] = [];
  const added: WordSpan[] = [];
  let [old, now, shared] = [0, 0, 0];
  for (const part of parts) {
    const { length } = part.value;
    if (part.removed) removed.push({ from: old, to: (old += length) });
    else if (part.added) added.push({ from: now, to: (now += length) });
    else {
      [old, now] = [old + length, now + length];
      shared += part.value.trim().length;
    }
  }
  const longer = Math.max(before.trim().length, after.trim().length);
  return shared < longer * leastShared ? undefined : { removed, added };
}
