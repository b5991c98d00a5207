import { type TurnGroup, turnGroupOf, turnGroups } from '../../domain/thread/turn-group.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';

/** What a person wants to see of all threads; threads that are archived only when they are asked for. */
export interface Filter {
  readonly text: string;
  readonly group: TurnGroup | 'all' | 'archived';
  readonly runtime: string;
  /** The folder that the work was asked for in. */
  readonly workspace: string;
  /** A label of the work, as key or key=value. */
  readonly label: string;
}

export const noFilter: Filter = { text: '', group: 'all', runtime: '', workspace: '', label: '' };

/** What the worker found for a filter: where the words of its text stand, of threads with its label. */
export type Found = ReadonlyMap<ThreadId, string>;

export const noneFound: Found = new Map();

/** A line of the list: the head of a group, or a thread of it. */
export type FilteredLine =
  | { readonly kind: 'group'; readonly group: TurnGroup; readonly count: number }
  | {
      readonly kind: 'thread';
      readonly thread: Thread;
      readonly place: number;
      readonly count: number;
      /** The words that were looked for, where they stand in the thread. */
      readonly excerpt?: string;
    };

/** The list as lines; within a group the newest thread is first, except where someone waits: there the oldest is. */
export function linesOf(
  threads: Iterable<Thread>,
  filter: Filter,
  { found = noneFound, now }: { readonly found?: Found; readonly now: number },
): FilteredLine[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const byGroup = new Map<TurnGroup, Thread[]>(turnGroups.map((group) => [group, []]));
  for (const thread of threads) {
    const group = turnGroupOf(thread, now);
    if ((thread.archivedAt !== undefined) !== (filter.group === 'archived')) continue;
    if (filter.runtime !== '' && thread.runtime !== filter.runtime) continue;
    if (filter.workspace !== '' && thread.workspace.path !== filter.workspace) continue;
    if (turnGroups.some((each) => each === filter.group) && filter.group !== group) continue;
    const isFound = found.has(thread.id);
    // What is on the screen is searched at once; labels only the worker knows.
    if (filter.label === '' ? words.length > 0 && !isFound && !holds(thread, words) : !isFound) continue;
    byGroup.get(group)?.push(thread);
  }
  return [...byGroup].flatMap(([group, members]) => {
    if (members.length === 0) return [];
    const count = members.length;
    const sorted = members.toSorted(group === 'needs you' ? oldestFirst : newestFirst);
    return [
      { kind: 'group' as const, group, count },
      ...sorted.map((thread, index) => {
        const excerpt = found.get(thread.id) ?? '';
        const line = { kind: 'thread' as const, thread, place: index + 1, count };
        return excerpt === '' ? line : { ...line, excerpt };
      }),
    ];
  });
}

function holds(thread: Thread, words: readonly string[]): boolean {
  const { title, name = '', runtime, workspace, id, status, activity = '' } = thread;
  const prompt = status.state === 'question' ? (status.prompt ?? '') : '';
  const text = plainLine(
    [title, name, runtime, workspace.path, workspace.branch ?? '', id, status.state, activity, prompt].join(
      ' ',
    ),
  ).toLowerCase();
  return words.every((word) => text.includes(word));
}

function oldestFirst(one: Thread, other: Thread): number {
  return since(one) < since(other) ? -1 : 1;
}

function newestFirst(one: Thread, other: Thread): number {
  return one.id < other.id ? 1 : -1;
}

/** Since when somebody waits for a person, or how old the thread is. */
export function since({ status, createdAt }: Thread): string {
  return status.state === 'question' ? status.since : createdAt;
}
