/** Lets work on the same key wait for each other, in the order it came; work on different keys does not. */
export class KeyedLine<Key> {
  readonly #lines = new Map<Key, Promise<unknown>>();

  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const mine = this.#after(this.#lines.get(key), work);
    this.#lines.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#lines.get(key) === mine) this.#lines.delete(key);
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
