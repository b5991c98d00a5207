/** Which lines of a text have been on the screen. */
export class SeenLines {
  readonly #seen: Uint8Array;
  #unseen: number;

  constructor(count: number) {
    this.#seen = new Uint8Array(count);
    this.#unseen = count;
  }

  get total(): number {
    return this.#seen.length;
  }

  /** How many lines have not been on the screen. */
  get unseen(): number {
    return this.#unseen;
  }

  /** The first line that has not been on the screen; none when all were. */
  get next(): number | undefined {
    const place = this.#seen.indexOf(0);
    return place < 0 ? undefined : place;
  }

  /** Whether the line was new. */
  see(line: number): boolean {
    if (this.#seen[line] !== 0) return false;
    this.#seen[line] = 1;
    this.#unseen -= 1;
    return true;
  }
}
