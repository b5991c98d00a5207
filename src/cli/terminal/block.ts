import { widthOf } from './graphemes.js';

/** A few lines at the end of the screen that are drawn again in place. */
export class Block {
  readonly #stream: NodeJS.WriteStream;
  #drawn: readonly string[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  draw(lines: readonly string[]): void {
    this.#stream.write(`${this.#erasing()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#drawn = lines;
  }

  clear(): void {
    if (this.#drawn.length > 0) this.draw([]);
  }

  // A terminal that became narrower has broken the lines that were drawn before.
  #erasing(): string {
    const columns = this.#stream.columns || 80;
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return rows === 0 ? '' : `\r\u001B[${rows}A\u001B[J`;
  }
}
