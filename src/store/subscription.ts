import { type Change, type ChangeFilter, type ChangeOrigin, matches, type Notice } from './change.js';

const defaultCapacity = 1024;

/** The changes that one subscriber has not read yet; a slow one loses them and is told so, nobody waits for it. */
export class Subscription implements AsyncIterableIterator<Notice>, Disposable {
  readonly #filter: ChangeFilter;
  readonly #capacity: number;
  readonly #onClose: (subscription: Subscription) => void;
  #unread: Change[] = [];
  #missed = 0;
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(options: {
    filter: ChangeFilter;
    capacity?: number;
    onClose: (subscription: Subscription) => void;
  }) {
    this.#filter = options.filter;
    this.#capacity = options.capacity ?? defaultCapacity;
    this.#onClose = options.onClose;
  }

  /** Whether it is there for what other workers do. */
  get isOfOthers(): boolean {
    return this.#filter.by === 'others';
  }

  /** Whether somebody looks on. */
  get shows(): boolean {
    return this.#filter.shows === true;
  }

  publish(change: Change, origin: ChangeOrigin = 'self'): void {
    if (this.#closed || !matches(this.#filter, change, origin)) return;
    if (this.#unread.length >= this.#capacity) {
      // Whoever missed one change must read everything anyway, so the others are of no use any more.
      this.#missed += this.#unread.length;
      this.#unread = [];
    }
    if (this.#missed > 0) this.#missed += 1;
    else this.#unread.push(change);
    this.#wake?.();
  }

  /** Changes were lost on their way here, nobody knows how many. */
  miss(): void {
    if (this.#closed) return;
    this.#missed += this.#unread.length + 1;
    this.#unread = [];
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Notice, undefined>> {
    while (!this.#closed && this.#missed === 0 && this.#unread.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#missed > 0) {
      const changes = this.#missed;
      this.#missed = 0;
      return { done: false, value: { topic: 'missed', changes } };
    }
    const change = this.#unread.shift();
    return change ? { done: false, value: change } : { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<Notice, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unread = [];
    this.#missed = 0;
    this.#onClose(this);
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
