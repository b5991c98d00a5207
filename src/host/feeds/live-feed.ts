import type { ThreadId } from '../../protocol/id.js';
import type { StoredEvent } from '../../store/stored-event.js';
import type { EventFeed, FeedEvent } from './news.js';

type Listener = (events: readonly FeedEvent[]) => void;

interface Audience {
  readonly all: Set<Listener>;
  readonly live: Set<Listener>;
}

// Other transient lines are between worker and runner.
const liveTypes = new Set(['text_delta', 'thinking_delta', 'tool_progress']);

/** Hands committed events, and live text as the runners portion it, to whoever listens to a thread. */
export class LiveFeed implements EventFeed {
  readonly #audiences = new Map<ThreadId, Audience>();
  readonly #lookOn: () => Disposable;
  #looking: Disposable | undefined;

  /** `lookOn` asks for what other workers do, for as long as anybody listens. */
  constructor(lookOn: () => Disposable = nobodyElse) {
    this.#lookOn = lookOn;
  }

  isWatched(threadId: ThreadId): boolean {
    return this.#audiences.has(threadId);
  }

  /** The threads that somebody listens to. */
  get watched(): readonly ThreadId[] {
    return [...this.#audiences.keys()];
  }

  subscribe(threadId: ThreadId, options: { readonly live: boolean }, listener: Listener): Disposable {
    const audience = this.#audiences.get(threadId) ?? { all: new Set(), live: new Set() };
    this.#audiences.set(threadId, audience);
    audience.all.add(listener);
    if (options.live) audience.live.add(listener);
    this.#looking ??= this.#lookOn();
    return {
      [Symbol.dispose]: () => {
        audience.all.delete(listener);
        audience.live.delete(listener);
        if (audience.all.size === 0 && this.#audiences.get(threadId) === audience)
          this.#audiences.delete(threadId);
        if (this.#audiences.size > 0) return;
        this.#looking?.[Symbol.dispose]();
        this.#looking = undefined;
      },
    };
  }

  /** Events that are committed, in the order of their thread. */
  publish(threadId: ThreadId, events: readonly StoredEvent[]): void {
    const audience = this.#audiences.get(threadId);
    if (!audience || events.length === 0) return;
    const shown = events.map(feedEvent);
    for (const listener of audience.all) listener(shown);
  }

  /** A line that is shown while it is written, and stored nowhere. */
  publishTransient(
    threadId: ThreadId,
    { type, text }: { readonly type: string; readonly text: string },
  ): void {
    const audience = this.#audiences.get(threadId);
    if (!audience || audience.live.size === 0 || !liveTypes.has(type)) return;
    const shown = [{ seq: null, type, json: text }];
    for (const listener of audience.live) listener(shown);
  }
}

/** Where there are no other workers. */
export function nobodyElse(): Disposable {
  return { [Symbol.dispose]: () => {} };
}

/** An event as the API shows it; spliced, because what a newer runner wrote must pass as it is. */
export function feedEvent({ seq, runId, type, json }: StoredEvent): FeedEvent {
  const run = runId === null ? '' : `,"runId":${JSON.stringify(runId)}`;
  const rest = json.slice(json.indexOf('{') + 1).trimStart();
  return { seq, type, json: `{"seq":${seq}${run}${rest === '}' ? '' : ','}${rest}` };
}
