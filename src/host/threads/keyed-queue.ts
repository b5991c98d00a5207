/** Lets work on the same key wait for each other, in the order it came; work on different keys does not. */
export class KeyedQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const mine = this.#after(this.#last.get(key), work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }

  async #after<Result>(before: Promise<unknown> | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      await before;
    } catch {
      // Whoever asked for it has heard of it.
    }
    return await work();
  }
}
