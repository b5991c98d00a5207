import { plainLine } from '../../domain/words/plain-text.js';
import { cutText } from '../../protocol/cut-text.js';
import { graphemes, widthOf } from './graphemes.js';

// The longest emoji take fifteen in two columns; what is behind so many is not looked at.
const unitsPerColumn = 16;

/** The text in at most so many columns; what is cut off shows as an ellipsis. */
export function fit(text: string, columns: number): string {
  const begun = cutText(text, unitsFor(columns));
  if (begun.length === text.length && widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  return `${firstColumns(graphemes(begun), columns - 1)
    .join('')
    .trimEnd()}…`;
}

/** Text of an agent on one line of so many columns; what is far behind them is not read. */
export function fitLine(text: string, columns: number): string {
  return fit(plainLine(text, { maxLength: unitsFor(columns) }), columns);
}

/** The end of the text in at most so many columns, after an ellipsis for what is cut off. */
export function fitEnd(text: string, columns: number): string {
  const end = text.slice(Math.max(0, text.length - unitsFor(columns)));
  if (end.length === text.length && widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  const backwards = [...graphemes(end)].toReversed();
  return `…${firstColumns(backwards, columns - 1)
    .toReversed()
    .join('')}`;
}

/** The text followed by spaces up to so many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

function unitsFor(columns: number): number {
  return Math.max(1, columns + 1) * unitsPerColumn;
}

function firstColumns(parts: Iterable<string>, columns: number): string[] {
  const kept: string[] = [];
  let width = 0;
  for (const part of parts) {
    width += widthOf(part);
    if (width > columns) break;
    kept.push(part);
  }
  return kept;
}
