import type { RowAnchor } from './console-state.js';

/** Entries with the rows that each takes; they are asked for only where they are needed. */
export interface ScrolledEntries<Entry extends { readonly seq: number }> {
  readonly entries: readonly Entry[];
  readonly rowsOf: (entry: Entry) => readonly string[];
  /** Rows behind the last entry. */
  readonly end: readonly string[];
}

interface Place {
  readonly index: number;
  readonly row: number;
}

/** The rows from the anchor on, or the last ones; no more than fit are made. */
export function rowsInSight<Entry extends { readonly seq: number }>(
  list: ScrolledEntries<Entry>,
  anchor: RowAnchor | undefined,
  height: number,
): string[] {
  const { entries, rowsOf, end } = list;
  const start = anchor ? placeOf(entries, anchor) : endPlace(list, height);
  const rows: string[] = [];
  for (let index = start.index; index < entries.length && rows.length < height; index += 1) {
    const entry = entries[index];
    if (entry) rows.push(...rowsOf(entry).slice(index === start.index ? start.row : 0));
  }
  const all = [...rows, ...end];
  return anchor ? all.slice(0, height) : all.slice(Math.max(0, all.length - height));
}

/** The anchor so many rows further; at the end there is none, so that the end is followed. */
export function movedAnchor<Entry extends { readonly seq: number }>(
  list: ScrolledEntries<Entry>,
  anchor: RowAnchor | undefined,
  move: { readonly by: number; readonly height: number },
): RowAnchor | undefined {
  const start = anchor ? placeOf(list.entries, anchor) : endPlace(list, move.height);
  const place = move.by < 0 ? back(list, start, -move.by) : forward(list, start, move.by);
  const isAtEnd = move.by > 0 && isEnd(list, place, move.height);
  const entry = list.entries[place.index];
  return isAtEnd || !entry ? undefined : { seq: entry.seq, row: place.row };
}

/** Whether the row is the first one that there is. */
export function isFirstRow<Entry extends { readonly seq: number }>(
  { entries }: ScrolledEntries<Entry>,
  anchor: RowAnchor | undefined,
): boolean {
  return anchor !== undefined && anchor.row === 0 && (entries[0]?.seq ?? 0) >= anchor.seq;
}

function placeOf(entries: readonly { readonly seq: number }[], { seq, row }: RowAnchor): Place {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return { index: Math.min(low, Math.max(0, entries.length - 1)), row };
}

function endPlace<Entry extends { readonly seq: number }>(
  list: ScrolledEntries<Entry>,
  height: number,
): Place {
  const { entries, rowsOf, end } = list;
  const last = Math.max(0, entries.length - 1);
  const rows = entries[last] ? rowsOf(entries[last]).length : 0;
  return back(list, { index: last, row: rows }, Math.max(0, height - end.length));
}

function back<Entry extends { readonly seq: number }>(
  { entries, rowsOf }: ScrolledEntries<Entry>,
  start: Place,
  by: number,
): Place {
  let { index, row } = start;
  let left = by;
  while (left > row && index > 0) {
    left -= row;
    index -= 1;
    const entry = entries[index];
    row = entry ? rowsOf(entry).length : 0;
  }
  return { index, row: Math.max(0, row - left) };
}

function forward<Entry extends { readonly seq: number }>(
  { entries, rowsOf }: ScrolledEntries<Entry>,
  start: Place,
  by: number,
): Place {
  let { index, row } = start;
  let left = by;
  for (;;) {
    const entry = entries[index];
    const rest = entry ? rowsOf(entry).length - row : 0;
    if (left < rest || index >= entries.length - 1)
      return { index, row: row + Math.min(left, Math.max(0, rest)) };
    left -= rest;
    index += 1;
    row = 0;
  }
}

function isEnd<Entry extends { readonly seq: number }>(
  { entries, rowsOf, end }: ScrolledEntries<Entry>,
  { index, row }: Place,
  height: number,
): boolean {
  let rest = end.length - row;
  for (let at = index; at < entries.length; at += 1) {
    const entry = entries[at];
    rest += entry ? rowsOf(entry).length : 0;
    if (rest > height) return false;
  }
  return true;
}
