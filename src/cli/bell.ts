import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes who waits; a ring that nobody waited for is not lost. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Rings for everything that comes; where nothing can come any more, waiting goes by the clock alone. */
  async ringOn(things: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const _ of things) this.ring();
    } catch {
      // Whoever waits looks again in a moment anyway, and is told then what is wrong.
    }
  }

  /** Waits for a ring, but no longer than this, or until it is called off. */
  async rungWithin(milliseconds: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    this.#wake = () => over.abort();
    if (!this.#isRung) {
      const either = AbortSignal.any([over.signal, signal]);
      await sleep(milliseconds, undefined, { signal: either }).catch(() => {});
    }
    this.#isRung = false;
  }
}
