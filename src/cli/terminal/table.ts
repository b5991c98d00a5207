import { plainLine } from '../../domain/words/plain-text.js';
import { fit, pad } from './fit.js';
import { widthOf } from './graphemes.js';

/** One cell, whose text may come from anywhere; paint is put on after the text was fitted. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface Column {
  readonly header: string;
  /** May be cut to make the table fit; others keep their width. */
  readonly isFlexible?: boolean;
}

const gap = 2;
const narrowest = 8;

/** A table without borders, as lines; it never is wider than the terminal unless its fixed columns are. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: { readonly width: number; readonly paintHeader?: (text: string) => string },
): string[] {
  const plain = rows.map((row) => row.map((cell) => ({ ...cell, text: plainLine(cell.text) })));
  const widths = columnWidths(columns, plain, options.width);
  const header = columns.map(({ header: text }) => ({
    text,
    ...(options.paintHeader && { paint: options.paintHeader }),
  }));
  return [header, ...plain].map((row) => line(row, widths));
}

function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  available: number,
): number[] {
  const wanted = columns.map(({ header, isFlexible }, index) => {
    const texts = rows.map((row) => row[index]?.text ?? '');
    // No column that may be cut needs more than all there is.
    const widths = texts.map((text) => widthOf(isFlexible ? fit(text, available) : text));
    return Math.max(widthOf(header), ...widths);
  });
  let excess = wanted.reduce((sum, width) => sum + width, gap * (columns.length - 1)) - available;
  // The widest flexible column gives way first, one column at a time.
  while (excess > 0) {
    const widest = columns
      .map(({ isFlexible }, index) => ({ index, width: isFlexible ? (wanted[index] ?? 0) : 0 }))
      .reduce((one, other) => (other.width > one.width ? other : one));
    if (widest.width <= narrowest) break;
    wanted[widest.index] = widest.width - 1;
    excess -= 1;
  }
  return wanted;
}

function line(cells: readonly Cell[], widths: readonly number[]): string {
  return cells
    .map(({ text, paint = (plain: string) => plain }, index) => {
      const fitted = fit(text, widths[index] ?? 0);
      const isLast = index === cells.length - 1;
      return paint(fitted) + (isLast ? '' : pad('', (widths[index] ?? 0) - widthOf(fitted) + gap));
    })
    .join('')
    .trimEnd();
}
