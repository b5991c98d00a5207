import type { Event, EventBody } from '../protocol/event.js';

/** Puts the time on events and writes them as lines; what is emitted in one turn of the loop is one write. */
export class EventWriter {
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  #lines = '';
  #scheduled = false;
  #stampedAt = -1;
  #stamp = '';

  constructor(output: { readonly write: (text: string) => void; readonly now: () => number }) {
    this.#write = output.write;
    this.#now = output.now;
  }

  emit(body: EventBody): void {
    const event: Event = { ...body, timestamp: this.#timestamp() };
    this.#lines += `${JSON.stringify(event)}\n`;
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  flush(): void {
    this.#scheduled = false;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#write(lines);
  }

  // Thousands of deltas share a millisecond; formatting the time was a tenth of their cost.
  #timestamp(): string {
    const now = this.#now();
    if (now !== this.#stampedAt) {
      this.#stampedAt = now;
      this.#stamp = new Date(now).toISOString();
    }
    return this.#stamp;
  }
}
