import type { Entry } from './timeline.js';

/** An entry at its place on the screen: what a sub-agent does stands under the call that started it. */
export interface Row {
  readonly entry: Entry;
  readonly depth: number;
  /** How many rows stand under it. */
  readonly inside: number;
}

/** The rows of a timeline, from top to bottom; what is under a folded call is left out. */
export function rowsOf(entries: readonly Entry[], folded: ReadonlySet<number>): Row[] {
  const calls = new Map<string, number>();
  for (const entry of entries) if (entry.type === 'tool_call') calls.set(entry.id, entry.seq);
  const children = new Map<string, Entry[]>();
  const top: Entry[] = [];
  for (const entry of entries) {
    const parent = parentOf(entry);
    const began = parent === undefined ? undefined : calls.get(parent);
    // A parent that was not read, or that began later, as no honest one does, holds nothing.
    if (parent === undefined || began === undefined || began >= entry.seq) {
      top.push(entry);
      continue;
    }
    const siblings = children.get(parent);
    if (siblings) siblings.push(entry);
    else children.set(parent, [entry]);
  }
  const rows: Row[] = [];
  const place = (entry: Entry, depth: number) => {
    const under = entry.type === 'tool_call' ? (children.get(entry.id) ?? []) : [];
    rows.push({ entry, depth, inside: under.length });
    if (!folded.has(entry.seq)) for (const each of under) place(each, depth + 1);
  };
  for (const entry of top) place(entry, 0);
  return rows;
}

function parentOf(entry: Entry): string | undefined {
  return entry.type === 'tool_call' ? entry.parentToolUseId : undefined;
}
