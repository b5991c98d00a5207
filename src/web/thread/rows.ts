import { isPromptTool } from '../../domain/words/prompt-tool.js';
import type { TimelineEntry } from '../../live/timeline.js';

/** An entry at its place on the screen: what a sub-agent does stands under the call that started it. */
export interface Row {
  readonly entry: TimelineEntry;
  readonly depth: number;
  /** How many rows stand under it. */
  readonly inside: number;
}

/** The rows of a timeline, from top to bottom; what is under a folded call is left out. */
export function rowsOf(all: readonly TimelineEntry[], folded: ReadonlySet<number>): Row[] {
  const entries = withoutPromptTools(all);
  const calls = new Map<string, number>();
  for (const entry of entries) if (entry.type === 'tool_call') calls.set(entry.toolUseId, entry.seq);
  const children = new Map<string, TimelineEntry[]>();
  const top: TimelineEntry[] = [];
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
  const place = (entry: TimelineEntry, depth: number) => {
    const under = entry.type === 'tool_call' ? (children.get(entry.toolUseId) ?? []) : [];
    rows.push({ entry, depth, inside: under.length });
    if (!folded.has(entry.seq)) for (const each of under) place(each, depth + 1);
  };
  for (const entry of top) place(entry, 0);
  return rows;
}

/** What a prompt shows needs no line of its own; a tool that failed before it could ask does. */
function withoutPromptTools(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const lastAsked = entries.findLast(({ type }) => type === 'prompt')?.seq ?? 0;
  return entries.filter(
    (entry) =>
      entry.type !== 'tool_call' ||
      !isPromptTool(entry.tool) ||
      (entry.result?.success === false && entry.seq > lastAsked),
  );
}

function parentOf(entry: TimelineEntry): string | undefined {
  return entry.type === 'tool_call' ? entry.parentToolUseId : undefined;
}
