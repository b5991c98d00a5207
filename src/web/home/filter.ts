import { type Alike, alike } from '../../domain/prompts/alike.js';
import { type TurnGroup, turnGroupOf, turnGroups } from '../../domain/thread/turn-group.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { askedIn } from './asked-in.js';

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
      /** What it and other threads of the list ask, where that is the same. */
      readonly same?: Alike;
    };

const nothingAsked: ReadonlyMap<PromptId, Prompt> = new Map();

/**
 * The list as lines; within a group the newest thread is first, except where someone waits: there the oldest is, and those that
 * ask the same stand together.
 */
export function linesOf(
  threads: Iterable<Thread>,
  filter: Filter,
  {
    found = noneFound,
    prompts = nothingAsked,
    now,
  }: {
    readonly found?: Found;
    readonly prompts?: ReadonlyMap<PromptId, Prompt>;
    readonly now: number;
  },
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
    const sorted =
      group === 'needs you'
        ? together(members.toSorted(oldestFirst), prompts)
        : members.toSorted(newestFirst).map((thread) => ({ thread, same: undefined }));
    return [
      { kind: 'group' as const, group, count },
      ...sorted.map(({ thread, same }, index) => {
        const excerpt = found.get(thread.id) ?? '';
        return {
          kind: 'thread' as const,
          thread,
          place: index + 1,
          count,
          ...(excerpt !== '' && { excerpt }),
          ...(same && { same }),
        };
      }),
    ];
  });
}

interface Placed {
  readonly thread: Thread;
  readonly same: Alike | undefined;
}

/** The same threads, those that ask the same behind the first of them. */
function together(threads: readonly Thread[], prompts: ReadonlyMap<PromptId, Prompt>): Placed[] {
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  const asked = threads.flatMap((thread) => askedIn(thread, prompts) ?? []).filter(isOpenPrompt);
  const groups = new Map(
    alike(asked).flatMap((group) => (group.length > 1 ? group.map((each) => [each.threadId, group]) : [])),
  );
  return threads.flatMap((thread): Placed[] => {
    const same = groups.get(thread.id);
    if (!same) return [{ thread, same }];
    if (same[0].threadId !== thread.id) return [];
    return same.flatMap(({ threadId }) => ({ thread: byId.get(threadId) ?? thread, same }));
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
