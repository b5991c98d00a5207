const LF = 0x0a;
const CR = 0x0d;
const HEAD_CHARACTERS = 200;
// A character takes four bytes at most, so this many bytes always hold the head.
const HEAD_BYTES = HEAD_CHARACTERS * 4;
const FIRST_CAPACITY = 64 * 1024;

/** One line of a stream, or the beginning and the size of one that was too long to keep. */
export type Line = { kind: 'line'; text: string } | { kind: 'oversized'; head: string; bytes: number };

/**
 * Cuts a byte stream into lines of at most `maxBytes` bytes.
 * Only \n ends a line: JSON may hold U+2028, U+2029 and lone \r as data, which readline would split on.
 */
export class LineSplitter {
  #maxBytes: number;
  #kept: Buffer = Buffer.alloc(0);
  #keptBytes = 0;
  #lineBytes = 0;
  #lastByte = 0;

  constructor(options: { maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** From now on lines may be longer: whoever writes them is trusted with more. */
  allow(maxBytes: number): void {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      this.#finish(bytes.subarray(start, end), lines);
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(Buffer.alloc(0), lines);
    return lines;
  }

  #finish(rest: Buffer, lines: Line[]): void {
    // A line that lies within one chunk, the usual case, is decoded where it is.
    const whole = this.#lineBytes === 0 && rest.length <= this.#maxBytes;
    if (!whole) this.#keep(rest);
    const line = whole ? rest : this.#kept.subarray(0, this.#keptBytes);
    const received = whole ? rest.length : this.#lineBytes;
    const bytes = received - (received > 0 && (whole ? rest.at(-1) : this.#lastByte) === CR ? 1 : 0);

    if (bytes > this.#maxBytes) {
      lines.push({ kind: 'oversized', head: headOf(line.subarray(0, bytes)), bytes });
    } else {
      // Decoding whole lines, never chunks, is what keeps a character that two chunks share.
      const text = line.toString('utf8', 0, bytes);
      if (!isBlank(text)) lines.push({ kind: 'line', text });
    }
    this.#startLine();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#lineBytes += part.length;
    this.#lastByte = part.at(-1) ?? 0;
    if (this.#isOversized()) {
      this.#keepHead(part);
      return;
    }
    this.#reserve(this.#lineBytes);
    part.copy(this.#kept, this.#keptBytes);
    this.#keptBytes += part.length;
  }

  // One byte too many may still turn out to be the \r of a \r\n.
  #isOversized(): boolean {
    const excess = this.#lineBytes - this.#maxBytes;
    return excess > 1 || (excess === 1 && this.#lastByte !== CR);
  }

  // Only the head of a refused line stays in memory, however long the line goes on.
  #keepHead(part: Buffer): void {
    if (this.#kept.length !== HEAD_BYTES) {
      const head = Buffer.alloc(HEAD_BYTES);
      this.#keptBytes = this.#kept.copy(head, 0, 0, this.#keptBytes);
      this.#kept = head;
    }
    this.#keptBytes += part.copy(this.#kept, this.#keptBytes);
  }

  // Doubling copies each byte less than twice. A list of chunks would hold one object for every byte of a
  // stream that trickles.
  #reserve(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const doubled = Math.max(FIRST_CAPACITY, this.#kept.length * 2, bytes);
    const grown = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(doubled, this.#maxBytes + 1)));
    this.#kept.copy(grown, 0, 0, this.#keptBytes);
    this.#kept = grown;
  }

  #startLine(): void {
    if (this.#kept.length > FIRST_CAPACITY) this.#kept = Buffer.alloc(0);
    this.#keptBytes = 0;
    this.#lineBytes = 0;
    this.#lastByte = 0;
  }
}

function headOf(line: Buffer): string {
  const characters = Array.from(line.toString('utf8', 0, HEAD_BYTES));
  return characters.slice(0, HEAD_CHARACTERS).join('');
}

function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text);
}
