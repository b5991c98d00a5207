import { plainLine } from '../../domain/plain-text.js';
import type { Thread } from '../../protocol/thread.js';
import { type Group, groupOf, groups } from './group.js';

/** What a person wants to see of all threads. */
export interface Filter {
  readonly text: string;
  readonly group: Group | 'all';
  readonly runtime: string;
}

export const noFilter: Filter = { text: '', group: 'all', runtime: '' };

/** A line of the list: the head of a group, or a thread of it. */
export type Line =
  | { readonly kind: 'group'; readonly group: Group; readonly count: number }
  | { readonly kind: 'thread'; readonly thread: Thread; readonly place: number; readonly count: number };

/** The list as lines; within a group the newest thread is first, except where someone waits: there the oldest is. */
export function linesOf(threads: Iterable<Thread>, filter: Filter): Line[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const byGroup = new Map<Group, Thread[]>(groups.map((group) => [group, []]));
  for (const thread of threads) {
    if (filter.runtime !== '' && thread.runtime !== filter.runtime) continue;
    const group = groupOf(thread);
    if (filter.group !== 'all' && filter.group !== group) continue;
    if (words.length > 0 && !holds(thread, words)) continue;
    byGroup.get(group)?.push(thread);
  }
  return [...byGroup].flatMap(([group, members]) => {
    if (members.length === 0) return [];
    const count = members.length;
    const sorted = members.toSorted(group === 'needs you' ? oldestFirst : newestFirst);
    return [
      { kind: 'group' as const, group, count },
      ...sorted.map((thread, index) => ({ kind: 'thread' as const, thread, place: index + 1, count })),
    ];
  });
}

function holds(thread: Thread, words: readonly string[]): boolean {
  const { title, runtime, workspace, id, status, activity = '' } = thread;
  const prompt = status.state === 'question' ? (status.prompt ?? '') : '';
  const text = plainLine(
    [title, runtime, workspace.path, workspace.branch ?? '', id, status.state, activity, prompt].join(' '),
  ).toLowerCase();
  return words.every((word) => text.includes(word));
}

function oldestFirst(one: Thread, other: Thread): number {
  return since(one) < since(other) ? -1 : 1;
}

function newestFirst(one: Thread, other: Thread): number {
  return one.id < other.id ? 1 : -1;
}

function since({ status, createdAt }: Thread): string {
  return status.state === 'question' ? status.since : createdAt;
}
