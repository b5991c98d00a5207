import { setTimeout as delay } from 'node:timers/promises';
import { type CollectorAnswer, postSpans } from './collector-request.js';
import { otlpBody, type TelemetrySource } from './otlp-json.js';
import type { TraceSpan } from './span.js';

const mostWaiting = 4096;
const mostInRequest = 512;
const everyMs = 2000;
const tries = 4;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const farewellMs = 2000;

/** How much was sent, and how much was given up, since the worker started. */
export interface TelemetryCounts {
  readonly sent: number;
  readonly dropped: number;
}

export interface SpanExportParts {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly source: TelemetrySource;
  readonly log: (line: string) => void;
}

/**
 * Sends spans to a collector, in batches, beside the work. Nobody waits for it: what the collector does not take in time is
 * dropped and counted.
 */
export class SpanExport implements AsyncDisposable {
  readonly #parts: SpanExportParts;
  readonly #closing = new AbortController();
  #waiting: TraceSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;
  #sent = 0;
  #dropped = 0;
  #isTroubleTold = false;

  constructor(parts: SpanExportParts) {
    this.#parts = parts;
  }

  get counts(): TelemetryCounts {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  add(spans: readonly TraceSpan[]): void {
    if (this.#closing.signal.aborted) {
      this.#dropped += spans.length;
      return;
    }
    const room = Math.max(0, mostWaiting - this.#waiting.length);
    this.#waiting.push(...spans.slice(0, room));
    this.#dropped += Math.max(0, spans.length - room);
    if (this.#waiting.length >= mostInRequest) this.#send();
    else if (this.#waiting.length > 0) this.#sendLater();
  }

  /** What is known to be lost before it was a span. */
  miss(count: number): void {
    this.#dropped += count;
  }

  /** Tries once more, for a moment, to get rid of what waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    const over = setTimeout(() => this.#closing.abort(), farewellMs);
    this.#send();
    await this.#sending;
    clearTimeout(over);
    this.#closing.abort();
  }

  #sendLater(): void {
    this.#timer ??= setTimeout(() => this.#send(), everyMs).unref();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending || this.#waiting.length === 0) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = null;
      if (this.#waiting.length > 0) this.#sendLater();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostInRequest);
      let refused = batch.length;
      try {
        refused = await this.#deliver(batch);
      } catch {
        this.#tell('the spans cannot be written');
      } finally {
        this.#sent += batch.length - refused;
        this.#dropped += refused;
      }
    }
  }

  /** How many of a batch the collector did not take. */
  async #deliver(batch: readonly TraceSpan[]): Promise<number> {
    const { url, headers, source } = this.#parts;
    const body = otlpBody(batch, source);
    let pauseMs = firstPauseMs;
    for (let left = tries; left > 0; left -= 1) {
      const answer: CollectorAnswer = await postSpans({ url, headers, body, closing: this.#closing.signal });
      if (typeof answer === 'number') {
        if (answer < batch.length) this.#isTroubleTold = false;
        return Math.min(answer, batch.length);
      }
      this.#tell(answer.trouble);
      if (!answer.passes || this.#closing.signal.aborted) break;
      await delay(Math.min(answer.afterMs ?? pauseMs, longestPauseMs), undefined, {
        signal: this.#closing.signal,
        ref: false,
      }).catch(() => {});
      pauseMs *= 2;
    }
    return batch.length;
  }

  /** Once, until it works again. */
  #tell(trouble: string): void {
    if (this.#isTroubleTold || this.#closing.signal.aborted) return;
    this.#isTroubleTold = true;
    const { origin } = new URL(this.#parts.url);
    this.#parts.log(
      `the collector of traces at ${origin} takes none (${trouble}); what it does not take is dropped`,
    );
  }
}
