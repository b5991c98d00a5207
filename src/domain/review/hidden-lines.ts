import type { Hunk } from '../../protocol/changes.js';

/** Lines of a file that are not shown, by their numbers in the new version. */
export interface HiddenLines {
  readonly from: number;
  /** The last of them; unknown below the last change of a file whose length nobody has read yet. */
  readonly to?: number;
  /** What their numbers in the old version are less than those in the new one. */
  readonly shift: number;
  /** Whether lines are shown above them, and below. */
  readonly hasAbove: boolean;
  readonly hasBelow: boolean;
}

/** A part of a file from top to bottom: lines that are shown, or lines that are not. */
export type FilePart =
  | { readonly kind: 'shown'; readonly hunk: Hunk }
  | { readonly kind: 'hidden'; readonly hidden: HiddenLines };

// So many lines git shows around a change, unless the file begins or ends there.
const around = 3;

/** The hunks of a file with the context that was read for it, and the lines that are still hidden between them. */
export function fileParts(
  hunks: readonly Hunk[],
  {
    context,
    total,
    isWhole,
  }: { readonly context: readonly Hunk[]; readonly total?: number | undefined; readonly isWhole: boolean },
): FilePart[] {
  const shown = [...hunks, ...context].toSorted((a, b) => a.newStart - b.newStart);
  const parts: FilePart[] = [];
  let next = 1;
  let shift = 0;
  for (const hunk of shown) {
    const from = firstLine(hunk.newStart, hunk.newLines);
    if (isWhole && from > next)
      parts.push({
        kind: 'hidden',
        hidden: { from: next, to: from - 1, shift, hasAbove: parts.length > 0, hasBelow: true },
      });
    parts.push({ kind: 'shown', hunk });
    next = from + hunk.newLines;
    shift = next - (firstLine(hunk.oldStart, hunk.oldLines) + hunk.oldLines);
  }
  const last = hunks.at(-1);
  const isEnd = total === undefined ? !last || isAtEnd(last) : next > total;
  if (isWhole && !isEnd)
    parts.push({
      kind: 'hidden',
      hidden: {
        from: next,
        shift,
        hasAbove: true,
        hasBelow: false,
        ...(total === undefined ? {} : { to: total }),
      },
    });
  return parts;
}

/** Which lines to read: some at the top or the bottom of the hidden ones, or as many as can be read at once. */
export function linesToShow(
  { from, to }: HiddenLines,
  where: 'top' | 'bottom' | 'all',
  most: number,
): { readonly from: number; readonly count: number } {
  const hidden = to === undefined ? most : to - from + 1;
  const count = Math.min(hidden, most);
  return where === 'bottom' && to !== undefined ? { from: to - count + 1, count } : { from, count };
}

/** Lines that were read, as a hunk in which nothing changed. */
export function contextHunk(from: number, lines: readonly string[], shift: number): Hunk {
  return {
    oldStart: from - shift,
    oldLines: lines.length,
    newStart: from,
    newLines: lines.length,
    heading: '',
    lines: lines.map((line) => ` ${line}`),
  };
}

// A hunk without lines on a side names the line before it.
function firstLine(start: number, count: number): number {
  return count === 0 ? start + 1 : start;
}

function isAtEnd({ lines }: Hunk): boolean {
  const after = lines.filter((line) => !line.startsWith('\\'));
  const changed = after.findLastIndex((line) => !line.startsWith(' '));
  return lines.some((line) => line.startsWith('\\')) || after.length - 1 - changed < around;
}
