import type { ThreadId } from '../protocol/id.js';
import { stringField } from '../protocol/string-field.js';
import type { StoredEvent } from '../store/stored-event.js';
import type { EventFeed, FeedEvent } from './host.js';

// Live text is for eyes: twenty times a second is smooth, and a client gets one frame where the model sent fifty deltas.
const coalesceMs = 50;

type Listener = (events: readonly FeedEvent[]) => void;

interface Gathered {
  readonly type: string;
  readonly timestamp: string;
  content: string;
}

interface Audience {
  readonly all: Set<Listener>;
  readonly live: Set<Listener>;
  gathered: Gathered | null;
  timer: NodeJS.Timeout | undefined;
}

/** Hands committed events, and live text in small portions, to whoever listens to a thread. */
export class LiveFeed implements EventFeed {
  readonly #audiences = new Map<ThreadId, Audience>();

  subscribe(threadId: ThreadId, options: { readonly live: boolean }, listener: Listener): Disposable {
    const audience = this.#audiences.get(threadId) ?? {
      all: new Set(),
      live: new Set(),
      gathered: null,
      timer: undefined,
    };
    this.#audiences.set(threadId, audience);
    audience.all.add(listener);
    if (options.live) audience.live.add(listener);
    return {
      [Symbol.dispose]: () => {
        audience.all.delete(listener);
        audience.live.delete(listener);
        if (audience.all.size > 0 || this.#audiences.get(threadId) !== audience) return;
        clearTimeout(audience.timer);
        this.#audiences.delete(threadId);
      },
    };
  }

  /** Events that are committed, in the order of their thread. */
  publish(threadId: ThreadId, events: readonly StoredEvent[]): void {
    const audience = this.#audiences.get(threadId);
    if (!audience || events.length === 0) return;
    this.#flush(audience);
    const told = events.map(feedEvent);
    for (const listener of audience.all) listener(told);
  }

  /** Something live, which is told and forgotten. */
  aside(threadId: ThreadId, said: { readonly type: string; readonly text: string }): void {
    const audience = this.#audiences.get(threadId);
    if (!audience || audience.live.size === 0) return;
    const delta = readDelta(said);
    if (delta === null) {
      this.#flush(audience);
      if (said.type === 'tool_progress') tell(audience, { seq: null, type: said.type, json: said.text });
      return;
    }
    if (audience.gathered?.type === delta.type) {
      audience.gathered.content += delta.content;
    } else {
      this.#flush(audience);
      audience.gathered = delta;
    }
    audience.timer ??= setTimeout(() => this.#flush(audience), coalesceMs);
  }

  #flush(audience: Audience): void {
    clearTimeout(audience.timer);
    audience.timer = undefined;
    const { gathered } = audience;
    if (!gathered) return;
    audience.gathered = null;
    tell(audience, { seq: null, type: gathered.type, json: JSON.stringify(gathered) });
  }
}

/** An event as the API shows it; spliced, because what a newer runner wrote must pass as it is. */
export function feedEvent({ seq, runId, type, json }: StoredEvent): FeedEvent {
  const run = runId === null ? '' : `,"runId":${JSON.stringify(runId)}`;
  const rest = json.slice(json.indexOf('{') + 1).trimStart();
  return { seq, type, json: `{"seq":${seq}${run}${rest === '}' ? '' : ','}${rest}` };
}

function tell(audience: Audience, event: FeedEvent): void {
  for (const listener of audience.live) listener([event]);
}

function readDelta(said: { readonly type: string; readonly text: string }): Gathered | null {
  if (said.type !== 'text_delta' && said.type !== 'thinking_delta') return null;
  const value: unknown = JSON.parse(said.text);
  return {
    type: said.type,
    timestamp: stringField(value, 'timestamp') ?? '',
    content: stringField(value, 'content') ?? '',
  };
}
