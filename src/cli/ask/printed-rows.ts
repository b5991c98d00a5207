import { widthOf } from '../terminal/graphemes.js';

// What stands below the text: the menu, its hint, and the line that the cursor is on.
const menuRows = 8;

const longestMeasured = 20_000;

/** How much of a text that was printed is on the screen, in rows of it. */
export interface PrintedRows {
  readonly total: number;
  /** Rows that are above the screen. */
  readonly above: number;
}

/** Where a text of several lines is after it was printed and a menu was drawn below it; long lines wrap. */
export function printedRows(
  text: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): PrintedRows {
  // A text that is far higher than any screen is counted by its length: how wide each character is makes no difference.
  const width = text.length > longestMeasured ? (line: string) => line.length : widthOf;
  const total = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / Math.max(1, columns))), 0);
  return { total, above: Math.max(0, total + menuRows - rows) };
}

/** What is said about rows that are not on the screen; nothing when all of them are. */
export function aboveWords({ total, above }: PrintedRows): string {
  if (above === 0) return '';
  const rows = above >= total ? 'All' : `${above.toLocaleString('en-US')} of the`;
  return `${rows} ${total.toLocaleString('en-US')} lines are above the screen: scroll up to read them.`;
}
