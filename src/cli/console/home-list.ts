import { settlementOf } from '../../domain/thread/settlement.js';
import { isSnoozed } from '../../domain/thread/snooze.js';
import { type Group, groupOf } from '../../domain/thread/thread-group.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { openPrompts } from '../../live/overview.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import type { ConsoleState, ConsoleWorld } from './console-state.js';

/** The groups of the list, in the order in which they are shown. */
export const needGroups = [
  'Needs you',
  'Failed',
  'Ready to review',
  'Working',
  'Landed',
  'At rest',
  'Snoozed',
] as const;
export type NeedGroup = (typeof needGroups)[number];

/** A line of the list. */
export type HomeRow =
  | { readonly kind: 'group'; readonly group: NeedGroup; readonly count: number; readonly isFolded: boolean }
  | {
      readonly kind: 'thread';
      readonly group: NeedGroup;
      readonly thread: Thread;
      /** The oldest that it asks. */
      readonly prompt: Prompt | undefined;
      /** How many it asks. */
      readonly asks: number;
      /** The words that were looked for, where they stand in it. */
      readonly excerpt: string | undefined;
    };

/** What stays folded until it is opened: it is over, or somebody said later. */
const foldedGroups: ReadonlySet<NeedGroup> = new Set<NeedGroup>(['Landed', 'At rest', 'Snoozed']);

const groupNames: Readonly<Record<Group, NeedGroup>> = {
  'needs you': 'Needs you',
  failed: 'Failed',
  working: 'Working',
  queued: 'Working',
  done: 'At rest',
};

/** Where a thread belongs; work that succeeded is to be reviewed until it has landed. */
export function needGroupOf(thread: Thread, now: number): NeedGroup {
  if (isSnoozed(thread, now)) return 'Snoozed';
  const group = groupNames[groupOf(thread)];
  const how = settlementOf(thread)?.how;
  if ((group === 'At rest' || group === 'Failed') && how !== undefined)
    return how === 'discard' ? 'At rest' : 'Landed';
  return group === 'At rest' && thread.lastDispatch?.result === 'succeeded' ? 'Ready to review' : group;
}

/** The lines of the list: what needs somebody first, and in it the oldest first; elsewhere the newest first. */
export function homeRows(
  { overview, found, now }: Pick<ConsoleWorld, 'overview' | 'found' | 'now'>,
  { unfolded, search }: Pick<ConsoleState, 'unfolded' | 'search'>,
): HomeRow[] {
  const asking = new Map<ThreadId, Prompt[]>();
  for (const prompt of openPrompts(overview))
    asking.set(prompt.threadId, [...(asking.get(prompt.threadId) ?? []), prompt]);
  const words = search ? (search.field.before + search.field.after).trim().toLowerCase() : '';
  const groups = new Map<NeedGroup, Extract<HomeRow, { kind: 'thread' }>[]>();
  for (const thread of overview.threads.values()) {
    if (thread.archivedAt !== undefined) continue;
    const excerpt = found?.excerpts.get(thread.id);
    const isFound = excerpt !== undefined || plainLine(thread.title).toLowerCase().includes(words);
    if (words !== '' && !isFound) continue;
    const prompts = asking.get(thread.id) ?? [];
    const group = prompts.length > 0 && !isSnoozed(thread, now) ? 'Needs you' : needGroupOf(thread, now);
    const row = { kind: 'thread', group, thread, prompt: prompts[0], asks: prompts.length, excerpt } as const;
    const rows = groups.get(group);
    if (rows) rows.push(row);
    else groups.set(group, [row]);
  }
  return needGroups.flatMap((group): HomeRow[] => {
    const rows = groups.get(group) ?? [];
    if (rows.length === 0) return [];
    const isFolded = foldedGroups.has(group) && !unfolded.has(group) && words === '';
    const sorted = rows.toSorted(group === 'Needs you' ? byWait : byAge);
    return [{ kind: 'group', group, count: rows.length, isFolded }, ...(isFolded ? [] : sorted)];
  });
}

/** What names a line, also when others come before it. */
export function rowKey(row: HomeRow): string {
  return row.kind === 'group' ? row.group : row.thread.id;
}

/** The place of the cursor among the lines: where it was put, or the first thread. */
export function cursorPlace(rows: readonly HomeRow[], cursor: string | undefined): number {
  const place = rows.findIndex((row) => rowKey(row) === cursor);
  if (place >= 0) return place;
  return Math.max(
    0,
    rows.findIndex(({ kind }) => kind === 'thread'),
  );
}

/** Since when a line waits for what it waits for. */
export function waitingSince({ thread, prompt }: Extract<HomeRow, { kind: 'thread' }>): string {
  if (prompt) return prompt.createdAt;
  const { status } = thread;
  return status.state === 'busy' || status.state === 'question' ? status.since : thread.createdAt;
}

type ThreadRow = Extract<HomeRow, { kind: 'thread' }>;

function byWait(one: ThreadRow, other: ThreadRow): number {
  const [first, second] = [waitingSince(one), waitingSince(other)];
  return first === second ? (one.thread.id < other.thread.id ? -1 : 1) : first < second ? -1 : 1;
}

function byAge(one: ThreadRow, other: ThreadRow): number {
  return one.thread.id < other.thread.id ? 1 : -1;
}
