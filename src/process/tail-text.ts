// biome-ignore format: one alternative per line
const ESCAPES = new RegExp(
  [
    String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?`, // titles and links
    String.raw`\u001b[PX^_][^\u001b]*(?:\u001b\\)?`, // strings for the terminal itself
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`, // colours, moves, erasures
    String.raw`\u001b[ -/]*[0-~]?`, // everything shorter
  ].join('|'),
  'gu',
);
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** The end of what a program printed, as plain text: a terminal that shows it obeys nothing of it. */
export class TailText {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #dropped = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (
      let first = this.#chunks[0];
      first && this.#length - first.length >= this.#kept;
      first = this.#chunks[0]
    ) {
      this.#chunks.shift();
      this.#length -= first.length;
      this.#dropped = true;
    }
  }

  /** The text, from a whole line on where its beginning is missing. */
  toString(): string {
    const printed = Buffer.concat(this.#chunks).toString('utf8');
    const plain = printed
      .replaceAll('\r\n', '\n')
      .replaceAll('\r', '\n')
      .replace(ESCAPES, '')
      .replace(CONTROLS, '');
    const bytes = Buffer.from(plain);
    if (!this.#dropped && bytes.length <= this.#limit) return plain;
    const tail = bytes.subarray(Math.max(0, bytes.length - this.#limit)).toString('utf8');
    const firstLine = tail.indexOf('\n');
    return firstLine === -1 || firstLine === tail.length - 1
      ? tail.replace(/^\ufffd+/, '')
      : tail.slice(firstLine + 1);
  }

  // Colours are dropped later, so more is kept than will be shown.
  get #kept(): number {
    return 2 * this.#limit;
  }
}
