import { setImmediate as breath, setTimeout as delay } from 'node:timers/promises';
import { DispatchState } from '../../protocol/dispatch.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { DispatchId, PromptId, ThreadId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredEvent } from '../../store/stored-event.js';
import type { Subscription } from '../../store/subscription.js';
import type { Clock } from '../clock.js';
import { askingDispatch } from './asking-dispatch.js';
import { attemptSpans, dispatchSpan, waitSpan } from './dispatch-spans.js';
import type { TraceSpan } from './span.js';
import type { SpanExport, TelemetryCounts } from './span-export.js';

// Several changes of one dispatch come together.
const gatherMs = 500;
const mostToLookAt = 10_000;
const mostTold = 20_000;
const eventsAtOnce = 1000;
const mostEvents = 20_000;
const mostCharacters = 32 * 1024 * 1024;
const mostToAskOf = 20;
// What ended before this worker was there was told by whoever was.
const overlapMs = 60_000;
// The store is closed after this; what is not told by then is counted as lost.
const lastLookMs = 2000;

export interface TelemetryParts {
  readonly store: Pick<Store, 'query' | 'subscribe'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly spans: SpanExport;
  readonly withTexts: boolean;
  readonly log: (line: string) => void;
}

/**
 * Makes traces of what this worker commits: it hears that a dispatch or a prompt has changed, reads what is committed, and tells of
 * what has ended. Nothing of the work knows of it or waits for it.
 */
export class Telemetry implements AsyncDisposable {
  readonly #parts: TelemetryParts;
  readonly #changes: Subscription;
  readonly #told = new Set<string>();
  readonly #dispatches = new Set<DispatchId>();
  readonly #prompts = new Map<PromptId, ThreadId>();
  readonly #closing = new AbortController();
  readonly #over = new AbortController();
  readonly #since: number;
  readonly #hearing: Promise<void>;
  readonly #looking: Promise<void>;

  constructor(parts: TelemetryParts) {
    this.#parts = parts;
    this.#since = parts.clock.now() - overlapMs;
    this.#changes = parts.store.subscribe({
      topics: ['dispatch', 'prompt'],
      by: 'self',
      capacity: mostToLookAt,
    });
    this.#hearing = this.#hear();
    this.#looking = this.#look();
  }

  get counts(): TelemetryCounts {
    return this.#parts.spans.counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What was committed before is heard first: a subscription that closes forgets what nobody has read.
    await breath();
    this.#changes.close();
    await this.#hearing;
    const over = setTimeout(() => this.#over.abort(), lastLookMs);
    await this.#looking;
    clearTimeout(over);
    this.#over.abort();
    await this.#parts.spans[Symbol.asyncDispose]();
  }

  async #hear(): Promise<void> {
    for await (const change of this.#changes) {
      if (change.topic === 'missed') this.#parts.spans.miss(change.changes);
      else if (this.#dispatches.size + this.#prompts.size >= mostToLookAt) this.#parts.spans.miss(1);
      else if (change.topic === 'dispatch') this.#dispatches.add(change.dispatchId);
      else if (change.topic === 'prompt') this.#prompts.set(change.promptId, change.threadId);
    }
    // The store is closed, or this is.
    this.#closing.abort();
  }

  async #look(): Promise<void> {
    for (;;) {
      await delay(gatherMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      const isLast = this.#closing.signal.aborted;
      for (const id of drained(this.#dispatches))
        await this.#quietly(async () => await this.#tellDispatch(id));
      for (const [id, threadId] of drained(this.#prompts))
        await this.#quietly(async () => await this.#tellPrompt(id, threadId));
      if (isLast) return;
    }
  }

  /** Telling of work never stops it. */
  async #quietly(tell: () => Promise<void>): Promise<void> {
    try {
      await within(this.#over.signal, tell);
    } catch (error) {
      this.#parts.spans.miss(1);
      if (!this.#closing.signal.aborted) this.#parts.log(`a trace is incomplete: ${errorSentence(error)}`);
    }
  }

  async #tellDispatch(id: DispatchId): Promise<void> {
    const { store, withTexts } = this.#parts;
    const dispatch = await store.query('dispatch', { id });
    if (!dispatch) return;
    const ended = dispatch.attempts.flatMap(({ endedAt }, index) =>
      this.#isNews(`${id} ${index + 1}`, endedAt) ? [index + 1] : [],
    );
    const isOver = dispatch.state === 'ended' && this.#isNews(id, dispatch.endedAt);
    if (ended.length === 0 && !isOver) return;
    const thread = await store.query('thread', { id: dispatch.threadId });
    if (!thread) {
      this.#lose(ended.length + (isOver ? 1 : 0));
      return;
    }
    for (const attempt of ended) {
      const events = await this.#eventsOf(dispatch, attempt, thread.lastSeq);
      if (!events) this.#lose(1);
      const told = await attemptSpans({ dispatch, thread, attempt, events: events ?? [], withTexts });
      this.#lose(told.cut);
      this.#add(told.spans);
    }
    if (isOver) this.#add([dispatchSpan(dispatch, thread)]);
  }

  // Whatever is still under way when its time is over was counted as lost.
  #add(spans: readonly TraceSpan[]): void {
    if (!this.#over.signal.aborted) this.#parts.spans.add(spans);
  }

  #lose(count: number): void {
    if (!this.#over.signal.aborted) this.#parts.spans.miss(count);
  }

  async #tellPrompt(id: PromptId, threadId: ThreadId): Promise<void> {
    const { store, clock } = this.#parts;
    const prompt = await store.query('prompt', { id });
    const now = clock.now();
    if (!prompt || prompt.state === 'pending') return;
    if (!this.#isNews(id, prompt.acceptedAt ?? new Date(now).toISOString())) return;
    const [thread, ...pages] = await Promise.all([
      store.query('thread', { id: threadId }),
      ...DispatchState.options.map(
        async (state) =>
          await store.query('dispatches', {
            threadId,
            state,
            limit: mostToAskOf,
            // What waits for its next try stands before what waits for its first.
            order: state === 'queued' ? 'oldest_first' : 'newest_first',
          }),
      ),
    ]);
    const asking = askingDispatch(
      prompt,
      pages.flatMap(({ rows }) => rows),
    );
    if (thread && asking) this.#add([waitSpan(prompt, { dispatchId: asking.id, thread, now })]);
    else this.#lose(1);
  }

  /**
   * What was committed while a try was under way; read from its end, because the thread may be long. Null where its beginning is too
   * far back.
   */
  async #eventsOf(
    { id, threadId }: StoredDispatch,
    attempt: number,
    lastSeq: number,
  ): Promise<readonly StoredEvent[] | null> {
    const { store } = this.#parts;
    let events: readonly StoredEvent[] = [];
    let characters = 0;
    for (
      let to = lastSeq;
      to > 0 && events.length < mostEvents && characters < mostCharacters && !this.#over.signal.aborted;
      to -= eventsAtOnce
    ) {
      const after = Math.max(0, to - eventsAtOnce);
      const part = await store.query('events', { threadId, after, limit: to - after });
      events = [...part, ...events];
      characters += part.reduce((sum, { json }) => sum + json.length, 0);
      const first = part.findLastIndex((event) => isBeginning(event, id, attempt));
      if (first < 0) continue;
      const own = events.slice(first);
      const next = own.findIndex((event, index) => index > 0 && event.type === 'dispatch_started');
      return next < 0 ? own : own.slice(0, next);
    }
    return null;
  }

  /** Whether this is told for the first time, and happened while this worker was there. */
  #isNews(key: string, at: string | undefined): boolean {
    if (at === undefined || this.#told.has(key) || Date.parse(at) < this.#since) return false;
    const [oldest] = this.#told;
    if (this.#told.size >= mostTold && oldest !== undefined) this.#told.delete(oldest);
    this.#told.add(key);
    return true;
  }
}

function isBeginning({ type, json }: StoredEvent, id: DispatchId, attempt: number): boolean {
  if (type !== 'dispatch_started') return false;
  const { dispatchId, attempt: number } = Object(JSON.parse(json));
  return dispatchId === id && number === attempt;
}

/** What comes of it, unless its time is over first. */
async function within(over: AbortSignal, tell: () => Promise<void>): Promise<void> {
  over.throwIfAborted();
  const listening = new AbortController();
  const ending = new Promise<never>((_, reject) => {
    over.addEventListener('abort', () => reject(over.reason), { signal: listening.signal });
  });
  try {
    await Promise.race([tell(), ending]);
  } finally {
    listening.abort();
  }
}

/** Takes everything out of a collection. */
function drained<Item>(from: Iterable<Item> & { clear(): void }): readonly Item[] {
  const items = [...from];
  from.clear();
  return items;
}
