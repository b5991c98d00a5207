/** The end of what a program printed, as it printed it: who shows it makes it plain first. */
export class TailText {
  readonly #limit: number;
  // Twice as much as is kept: a byte is moved once at most, also when bytes come one by one.
  readonly #bytes: Buffer;
  #length = 0;
  #dropped = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
    this.#bytes = Buffer.alloc(2 * limitBytes);
  }

  push(chunk: Buffer): void {
    const last = chunk.subarray(Math.max(0, chunk.length - this.#limit));
    if (last.length < chunk.length) this.#dropped = true;
    if (this.#length + last.length > this.#bytes.length) this.#forget(this.#length - this.#limit);
    last.copy(this.#bytes, this.#length);
    this.#length += last.length;
  }

  /** The text, from a whole line on where its beginning is missing. */
  toString(): string {
    // Bytes that are no text become longer, so the limit is held with what they became.
    const bytes = Buffer.from(this.#bytes.toString('utf8', 0, this.#length));
    if (!this.#dropped && bytes.length <= this.#limit) return bytes.toString('utf8');
    const tail = bytes.subarray(Math.max(0, bytes.length - this.#limit)).toString('utf8');
    const firstLine = tail.indexOf('\n');
    return firstLine === -1 || firstLine === tail.length - 1
      ? tail.replace(/^\ufffd+/, '')
      : tail.slice(firstLine + 1);
  }

  #forget(count: number): void {
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#dropped = true;
  }
}
