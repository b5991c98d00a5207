import type { RecordedRequest } from './recorded-request.js';

type Draft = Omit<RecordedRequest, 'seq' | 'at' | 'closedEarly'>;

interface Waiter {
  matches: (request: RecordedRequest) => boolean;
  resolve: (request: RecordedRequest) => void;
}

/** Keeps the newest requests in memory and hands each one on when it is over. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly #keep: number;
  readonly #clock: () => Date;
  readonly #onSettled: (request: RecordedRequest) => void;
  #waiters: Waiter[] = [];
  #seq = 0;

  constructor(options: { keep: number; clock: () => Date; onSettled: (request: RecordedRequest) => void }) {
    this.#keep = options.keep;
    this.#clock = options.clock;
    this.#onSettled = options.onSettled;
  }

  begin(draft: Draft): RecordedRequest {
    const request = { seq: ++this.#seq, at: this.#clock().toISOString(), ...draft, closedEarly: false };
    this.requests.push(request);
    if (this.requests.length > this.#keep) this.requests.shift();
    return request;
  }

  /** Says that something about a request became known. */
  changed(request: RecordedRequest): void {
    const ready = this.#waiters.filter(({ matches }) => matches(request));
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve(request);
  }

  settle(request: RecordedRequest, closedEarly: boolean): void {
    request.closedEarly = closedEarly;
    this.#onSettled(request);
    this.changed(request);
  }

  /** Waits until a request is as wanted; one that is so already counts. */
  waitFor(matches: (request: RecordedRequest) => boolean): Promise<RecordedRequest> {
    const found = this.requests.find(matches);
    if (found) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiters.push({ matches, resolve }));
  }

  clear(): void {
    this.requests.length = 0;
  }
}
