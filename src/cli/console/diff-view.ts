import { markedLine, markedText } from '../../domain/words/marked-text.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { fit } from '../terminal/fit.js';
import { graphemes, widthOf } from '../terminal/graphemes.js';
import { fieldLine } from '../terminal/text-field.js';
import { wrappedRows } from '../terminal/wrap.js';
import { asciiText } from './ascii.js';
import { type ChangeRow, type ChangeRows, unsentComments } from './change-rows.js';
import type { ConsoleState, ConsoleWorld, DiffView } from './console-state.js';
import { draftKey, inSight, viewedKey } from './diff-place.js';
import { landingWords } from './landing-step.js';
import type { Look } from './look.js';

// Nobody scrolls so far to the right; a line may have megabytes.
const longest = 20_000;
// Below this, numbers would take the room of what they number.
const numberedColumns = 80;
const mostFieldRows = 4;

/** What an agent changed, what was said about it, and what the person is writing about it. */
export function diffLines(
  view: DiffView,
  { state, world, look }: { readonly state: ConsoleState; readonly world: ConsoleWorld; readonly look: Look },
): string[] {
  const { changes } = world;
  if (changes?.failure !== undefined) return [look.colours.red(` ${changes.failure}`)];
  if (!changes || changes.summary === '') return [' Reading the changes …'];
  const foot = commentField(view, state, look);
  const height = look.rows - 1 - foot.length;
  const { cursor, top } = inSight(view, changes.rows.length, height);
  const lines = changes.rows.slice(top, top + height).map((row, place) =>
    changeLine(row, look, {
      left: view.left,
      isChosen: top + place === cursor,
      isViewed: row.kind === 'file' && state.viewed.has(viewedKey(changes, row.path ?? '')),
    }),
  );
  const filler = foot.length === 0 ? [] : Array.from({ length: height - lines.length }, () => '');
  return [headLine(view, { changes, state, look }), ...lines, ...filler, ...foot];
}

function headLine(
  view: DiffView,
  {
    changes,
    state,
    look,
  }: { readonly changes: ChangeRows; readonly state: ConsoleState; readonly look: Look },
): string {
  if (view.asks)
    return look.colours.yellow(
      fit(` ${landingWords[view.asks].asks} y does it, any other key does not`, look.columns),
    );
  const viewed = changes.files.filter((file) =>
    state.viewed.has(viewedKey(changes, changes.rows[file]?.path ?? '')),
  ).length;
  const unsent = unsentComments(changes).length;
  const words = [
    changes.summary,
    ...(viewed === 0 ? [] : [`${viewed} of ${changes.files.length} viewed`]),
    ...(unsent === 0 ? [] : [`${unsent} ${unsent === 1 ? 'comment' : 'comments'} not sent`]),
    ...(changes.isWhole ? [] : ['reading more …']),
  ];
  return look.colours.dim(fit(` ${words.join(' · ')}`, look.columns));
}

function commentField(
  { writes, threadId }: DiffView,
  state: ConsoleState,
  { columns, rows: height, colours }: Look,
): string[] {
  if (!writes) return [];
  const draft = state.commentDrafts.get(draftKey(threadId, writes));
  if (!draft) return [];
  const about =
    writes.kind === 'line'
      ? `Comment on ${plainLine(writes.file)}:${writes.line}`
      : 'Change the comment; without words it is removed';
  const rows = wrappedRows(fieldLine(draft.field).replaceAll('⏎', '\n'), columns - 4);
  // The head, the chosen line and what the comment is about stay.
  const room = Math.max(1, Math.min(mostFieldRows, height - 3));
  return [
    colours.bold(fit(` ${about}`, columns)),
    ...rows.slice(-room).map((row) => colours.cyan(` > ${row}`)),
  ];
}

function changeLine(
  row: ChangeRow,
  { columns, colours, isUnicode }: Look,
  {
    left,
    isChosen,
    isViewed,
  }: { readonly left: number; readonly isChosen: boolean; readonly isViewed: boolean },
): string {
  const { kind } = row;
  const begun = row.text.slice(0, longest);
  const marked = kind === 'file' ? markedLine(begun) : markedText(begun).replaceAll('\n', ' ');
  const line = (isUnicode ? marked : asciiText(marked)).replaceAll('\t', '    ');
  const text = left === 0 || kind === 'file' || kind === 'comment' ? line : fromColumn(line, left);
  const before = `${isChosen ? '▸' : ' '}${gutter(row, columns)}${isViewed ? '✓ ' : ''}`;
  const shown = fit(`${before}${text}`, columns - 1);
  const paint = {
    file: colours.bold,
    place: colours.cyan,
    added: colours.green,
    removed: colours.red,
    same: String,
    remark: colours.yellow,
    comment: colours.yellow,
  }[kind];
  return isChosen ? colours.bold(paint(shown)) : paint(shown);
}

/** The numbers of a line in both versions, or where a comment stands. */
function gutter({ kind, line }: ChangeRow, columns: number): string {
  const isNumbered = columns >= numberedColumns;
  if (kind === 'comment') return isNumbered ? `${numbers({})}│ ` : '│ ';
  return isNumbered && line ? numbers(line) : '';
}

function numbers(line: NonNullable<ChangeRow['line']>): string {
  return [line.old, line.new].map((number) => `${String(number ?? '').padStart(5)} `).join('');
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
