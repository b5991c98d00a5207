import type { EventBody } from '../protocol/event.js';
import { eventJson } from './event-json.js';
import { liveEvents } from './live-events.js';

// A write per delta was the largest cost of a long answer; nobody sees two milliseconds in live text.
const liveLingerMs = 2;

/** Puts the time on events and writes them as lines, many in one write: durable ones at once, live ones soon. */
export class EventWriter {
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  #lines = '';
  #urgent = false;
  #lingering: NodeJS.Timeout | null = null;
  #stampedAt = -1;
  #stamp = '';

  constructor(output: { readonly write: (text: string) => void; readonly now: () => number }) {
    this.#write = output.write;
    this.#now = output.now;
  }

  emit(body: EventBody): void {
    // Every event has a type, so the time can follow after a comma; copying each event to add it cost more.
    this.#lines += `${eventJson(body).slice(0, -1)},"timestamp":"${this.#timestamp()}"}\n`;
    if (!liveEvents.has(body.type)) this.#flushSoon();
    else this.#lingering ??= setTimeout(() => this.flush(), liveLingerMs);
  }

  flush(): void {
    this.#urgent = false;
    if (this.#lingering) clearTimeout(this.#lingering);
    this.#lingering = null;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#write(lines);
  }

  #flushSoon(): void {
    if (this.#urgent) return;
    this.#urgent = true;
    setImmediate(() => this.flush());
  }

  // Thousands of deltas share a millisecond, and formatting the time was a tenth of their cost.
  #timestamp(): string {
    const now = this.#now();
    if (now !== this.#stampedAt) {
      this.#stampedAt = now;
      this.#stamp = new Date(now).toISOString();
    }
    return this.#stamp;
  }
}
