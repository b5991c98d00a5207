import { searchTextOf, threadSearchText } from '../../domain/thread/search-text.js';
import { excerptOf, searchWords } from '../../domain/thread/search-words.js';
import { ItemFold } from '../../domain/thread/thread-items.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import { Thread } from '../../protocol/thread.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import type { ThreadMatch } from '../../protocol/thread-query.js';
import { largestOutputPart, type ToolOutputPart } from '../../protocol/tool-output.js';
import { defaultPageSize, largestPageBytes, type Page, type PageRequest } from '../../store/page.js';
import type { StatusTransition } from '../../store/status-transition.js';
import type { Store } from '../../store/store.js';
import type { StoredEvent } from '../../store/stored-event.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { feedEvent } from '../feeds/live-feed.js';
import type { Threads } from '../host.js';
import type { ThreadActivity } from './thread-activity.js';

const pageOfEvents = 500;
const defaultItems = 200;
const largestItemBytes = 32 * 1024 * 1024;

/** A part of a thread: what comes after an event. */
interface ThreadRange {
  readonly after?: number;
  readonly limit?: number;
}

type EventPart = Awaited<ReturnType<Threads['events']>>;

/** Threads as they are stored, with what their agents are doing now. */
export class ThreadReader {
  readonly #store: Store;
  readonly #activity: ThreadActivity;

  constructor(store: Store, activity: ThreadActivity) {
    this.#store = store;
    this.#activity = activity;
  }

  async get(id: ThreadId): Promise<Thread> {
    const thread = await this.#store.query('thread', { id });
    if (!thread) throw new Failure('not_found', `There is no thread ${id}.`);
    return this.#shown(thread);
  }

  async list({ archived, ...query }: Parameters<Threads['list']>[0]): ReturnType<Threads['list']> {
    const found = await this.#store.query('threads', {
      ...query,
      ...(archived !== 'include' && { archived: archived === 'only' }),
      mostBytes: largestPageBytes,
    });
    const rows = found.rows.map((row) => this.#shown(row));
    const { search } = query;
    if (search === undefined) return { ...found, rows };
    return { ...found, rows, matches: await this.#matches(rows, search) };
  }

  /** Where the words stand in each of these threads. */
  async #matches(threads: readonly Thread[], search: string): Promise<ThreadMatch[]> {
    const hits = await this.#store.query('searchHits', { search, threadIds: threads.map(({ id }) => id) });
    const seqs = new Map(hits.map(({ threadId, seq }) => [threadId, seq]));
    const words = searchWords(search);
    const matches: ThreadMatch[] = [];
    for (const thread of threads) {
      const threadId = thread.id;
      const seq = seqs.get(threadId) ?? 0;
      const [event] =
        seq === 0 ? [] : await this.#store.query('events', { threadId, after: seq - 1, limit: 1 });
      const text = event ? searchTextOf(event.type, event.json) : threadSearchText(thread);
      matches.push({ threadId, ...(event && { seq }), excerpt: excerptOf(text, words) });
    }
    return matches;
  }

  async items(
    id: ThreadId,
    range: ThreadRange,
  ): Promise<{ readonly items: readonly ThreadItem[]; readonly next?: number }> {
    await this.get(id);
    const { limit = defaultItems } = range;
    const fold = new ItemFold();
    let bytes = 0;
    let after: number | undefined = range.after ?? 0;
    while (after !== undefined) {
      const page: EventPart = await this.events(id, { after, limit: pageOfEvents });
      for (const event of page.events) {
        fold.add(parsed(event));
        bytes += event.json.length;
        const most = bytes > largestPageBytes ? Math.min(limit, fold.items.length - 1) : limit;
        const next = fold.items[most];
        // One item is given whole, up to a size that no memory should have to hold.
        if (next && most > 0) return { items: fold.items.slice(0, most), next: next.seq - 1 };
        if (bytes > largestItemBytes && next) return { items: fold.items, next: event.seq };
      }
      after = page.next;
    }
    return { items: fold.items };
  }

  async events(id: ThreadId, range: ThreadRange): Promise<EventPart> {
    const { limit = defaultPageSize } = range;
    const events = await this.#store.query('events', { threadId: id, ...range, mostBytes: largestPageBytes });
    const last = events.at(-1)?.seq;
    if (last !== undefined && events.length === limit) return { events, next: last };
    const { lastSeq } = await this.get(id);
    return { events, ...(last !== undefined && last < lastSeq && { next: last }) };
  }

  async toolOutput(id: ThreadId, toolUseId: string, range: ThreadRange): Promise<ToolOutputPart> {
    await this.get(id);
    const { after = 0, limit = largestOutputPart } = range;
    const part = await this.#store.query('toolOutput', { threadId: id, toolUseId, after, limit });
    if (part) return part;
    throw new Failure(
      'not_found',
      'Nothing of this call is kept beside its event. Either the event shows all of its output, or none was kept.',
    );
  }

  async statusLog(id: ThreadId, page: PageRequest): Promise<Page<StatusTransition>> {
    await this.get(id);
    return await this.#store.query('statusLog', { threadId: id, ...page, mostBytes: largestPageBytes });
  }

  #shown(thread: StoredThread): Thread {
    return { ...Thread.parse(thread), ...this.#activity.of(thread.id) };
  }
}

function parsed(event: StoredEvent): Record<string, unknown> {
  const value: unknown = JSON.parse(feedEvent(event).json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
