import { cutText } from '../../protocol/cut-text.js';
import type { DiffLine } from '../words/difference.js';
import { markedText } from '../words/marked-text.js';

/** A line of what an action contains, ready to be shown: what shows nothing is marked, and no line is long. */
export interface SheetLine {
  /** A field's name with a value on one line, a line of a longer value, a file with what changes in it, a line of a difference, a remark of ours. */
  readonly kind: 'field' | 'text' | 'file' | 'remark' | Exclude<DiffLine['kind'], 'head'>;
  readonly name?: string;
  readonly text: string;
  /** The line goes on from the one above. */
  readonly isContinued?: true;
}

/** A line that is longer goes on in the next one, so that nothing hides at its right end. */
export const longestLine = 200;

/** All of a text that a person is to approve, line by line. */
export function textSheet(text: string): SheetLine[] {
  const lines = markedText(text).replace(/\n$/, '').split('\n');
  return lines.flatMap((line) => shortened({ kind: 'text', text: line }));
}

/** The line in pieces that are not long. */
export function shortened(line: SheetLine): SheetLine[] {
  if (line.text.length <= longestLine) return [line];
  const lines: SheetLine[] = [];
  for (let at = 0; at < line.text.length; ) {
    const piece = cutText(line.text.slice(at, at + longestLine + 1), longestLine);
    lines.push(at === 0 ? { ...line, text: piece } : { ...line, text: piece, isContinued: true });
    at += piece.length;
  }
  return lines;
}
