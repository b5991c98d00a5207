import { changeRemarks, changeTotals } from '../../domain/words/change-words.js';
import { markedLine, markedText } from '../../domain/words/marked-text.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ChangedPath, ChangePage } from '../../protocol/changes.js';
import type { ThreadId } from '../../protocol/id.js';
import { fit } from '../terminal/fit.js';
import { graphemes, widthOf } from '../terminal/graphemes.js';
import { asciiText } from './ascii.js';
import type { Look } from './look.js';

/** A line of what an agent changed. */
export interface ChangeRow {
  readonly kind: 'file' | 'place' | 'added' | 'removed' | 'same' | 'remark';
  /** As the worker told it; it is made safe when it is drawn, because few of many lines are. */
  readonly text: string;
}

/** What is read of the changes of a thread so far. */
export interface ChangeRows {
  readonly threadId: ThreadId;
  readonly summary: string;
  readonly rows: readonly ChangeRow[];
  /** Where each file begins. */
  readonly files: readonly number[];
  readonly isWhole: boolean;
  readonly failure: string | undefined;
}

export function noChanges(threadId: ThreadId): ChangeRows {
  return { threadId, summary: '', rows: [], files: [], isWhole: false, failure: undefined };
}

/** The changes with one more part of them. */
export function withPage(changes: ChangeRows, page: ChangePage): ChangeRows {
  const rows = [...changes.rows];
  const files = [...changes.files];
  if (rows.length === 0) for (const note of page.notes) rows.push({ kind: 'remark', text: note });
  for (const file of page.files) {
    files.push(rows.length);
    rows.push(...fileRows(file));
  }
  const { totals, base } = page;
  const summary =
    totals.files === 0
      ? `Nothing changed since ${plainLine(base.why)}.`
      : `${changeTotals(totals)}, against ${plainLine(base.why)}`;
  return { ...changes, rows, files, summary, isWhole: page.next === undefined };
}

function fileRows(file: ChangedPath): ChangeRow[] {
  const counts = file.added === null ? [] : [`+${file.added} −${file.removed}`];
  const about = [...counts, ...changeRemarks(file)].join(', ');
  return [
    { kind: 'file', text: `${file.path}  ${about}` },
    ...(file.hunks ?? []).flatMap(
      ({ oldStart, oldLines, newStart, newLines, heading, lines }): ChangeRow[] => [
        { kind: 'place', text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${heading}` },
        ...lines.map((line): ChangeRow => ({ kind: lineKind(line), text: line })),
      ],
    ),
    ...(file.cut === undefined ? [] : [{ kind: 'remark', text: file.cut } as const]),
    { kind: 'same', text: '' },
  ];
}

function lineKind(line: string): ChangeRow['kind'] {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('\\') ? 'remark' : 'same';
}

/** The rows in sight, from a column on. */
export function changeLines(
  rows: readonly ChangeRow[],
  { top, left }: { readonly top: number; readonly left: number },
  look: Look,
): string[] {
  return rows.slice(top, top + look.rows).map((row) => changeLine(row, left, look));
}

// Nobody scrolls so far to the right; a line may have megabytes.
const longest = 20_000;

function changeLine({ kind, text }: ChangeRow, left: number, { columns, colours, isUnicode }: Look): string {
  const begun = text.slice(0, longest);
  const marked = kind === 'file' ? markedLine(begun) : markedText(begun).replaceAll('\n', ' ');
  const line = (isUnicode ? marked : asciiText(marked)).replaceAll('\t', '    ');
  const shown = fit(left === 0 || kind === 'file' ? line : fromColumn(line, left), columns - 1);
  const paint = {
    file: colours.bold,
    place: colours.cyan,
    added: colours.green,
    removed: colours.red,
    same: String,
    remark: colours.yellow,
  }[kind];
  return paint(shown);
}

/** A line without its first columns. */
function fromColumn(line: string, columns: number): string {
  let width = 0;
  let at = 0;
  for (const part of graphemes(line)) {
    if (width >= columns) break;
    width += widthOf(part);
    at += part.length;
  }
  return line.slice(at);
}
