import type { FollowedEvent } from '../client/thread-event.js';
import { ItemFold } from '../domain/thread/thread-items.js';
import type { ThreadItem } from '../protocol/thread-item.js';
import { type SideEntry, sideEntryOf } from './side-entry.js';

/** A line of a thread. */
export type TimelineEntry = ThreadItem | SideEntry;
type ToolCall = Extract<ThreadItem, { type: 'tool_call' }>;

/**
 * The lines of a thread, read from its end: the newest part grows with every event, and older parts are put before it.
 * A result that came without its call, which an older part has, is joined to it when that part is read.
 */
export class Timeline {
  readonly #fold = new ItemFold();
  readonly #side: SideEntry[] = [];
  #older: readonly TimelineEntry[] = [];
  /** Results of calls that began before what was read. */
  readonly #orphans = new Map<string, ToolCall>();

  append(event: FollowedEvent): void {
    this.#fold.add(event);
    const entry = sideEntryOf(event);
    if (entry) this.#side.push(entry);
  }

  /** Puts a part before everything that is there; its events are the older ones, oldest first. */
  prepend(events: readonly FollowedEvent[]): void {
    for (const entry of this.entries) {
      if (entry.type === 'tool_call' && entry.params === undefined) this.#orphans.set(entry.toolUseId, entry);
    }
    const fold = new ItemFold();
    const side: SideEntry[] = [];
    for (const event of events) {
      fold.add(event);
      const entry = sideEntryOf(event);
      if (entry) side.push(entry);
    }
    this.#older = [...merged(fold.items, side), ...this.#older];
  }

  get entries(): TimelineEntry[] {
    const newest = merged(this.#fold.items, this.#side);
    const all = this.#older.length === 0 ? newest : [...this.#older, ...newest];
    return this.#orphans.size === 0 ? all : this.#adopted(all);
  }

  #adopted(entries: readonly TimelineEntry[]): TimelineEntry[] {
    const adopted = new Set<ToolCall>();
    const joined = entries.map((entry) => {
      const orphan =
        entry.type === 'tool_call' && entry.params && !entry.result
          ? this.#orphans.get(entry.toolUseId)
          : undefined;
      if (!orphan?.result || entry.type !== 'tool_call') return entry;
      adopted.add(orphan);
      return { ...entry, result: orphan.result };
    });
    return joined.filter((entry) => entry.type !== 'tool_call' || !adopted.has(entry));
  }
}

/** Two lists in the order of their places, as one. */
function merged(items: readonly ThreadItem[], side: readonly SideEntry[]): TimelineEntry[] {
  if (side.length === 0) return [...items];
  const all: TimelineEntry[] = [];
  let next = 0;
  for (const item of items) {
    for (let entry = side[next]; entry && entry.seq < item.seq; entry = side[next]) {
      all.push(entry);
      next += 1;
    }
    all.push(item);
  }
  return [...all, ...side.slice(next)];
}
