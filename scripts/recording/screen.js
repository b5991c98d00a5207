// oxlint-disable-next-line no-control-regex -- the escape character begins every movement
const movement = /\u001B\[[0-?]*[ -/]*[@-~]|[^\u001B]/gu;

/** The text that a terminal shows, for the few movements that Handraise makes. */
export class Screen {
  /** @type {string[]} */
  #lines = [''];
  #row = 0;
  #column = 0;

  /** @param {string} output */
  write(output) {
    for (const [piece] of output.matchAll(movement)) {
      if (piece.startsWith('\u001B[')) this.#move(piece);
      else if (piece === '\n') this.#row += 1;
      else if (piece === '\r') this.#column = 0;
      else this.#put(piece);
      while (this.#lines.length <= this.#row) this.#lines.push('');
    }
  }

  lines() {
    const text = this.#lines.map((line) => line.trimEnd());
    while (text.at(-1) === '') text.pop();
    return text;
  }

  text() {
    return this.lines().join('\n');
  }

  /** @param {string} character */
  #put(character) {
    const line = this.#lines[this.#row] ?? '';
    this.#lines[this.#row] =
      line.slice(0, this.#column).padEnd(this.#column) + character + line.slice(this.#column + 1);
    this.#column += character.length;
  }

  /** @param {string} sequence */
  #move(sequence) {
    const count = Number(/\d+/.exec(sequence)?.[0] ?? 1);
    if (sequence.endsWith('A')) this.#row = Math.max(0, this.#row - count);
    if (sequence.endsWith('K')) this.#lines[this.#row] = '';
    if (sequence.endsWith('J')) this.#lines.length = this.#row + 1;
    if (sequence.endsWith('J')) this.#lines[this.#row] = '';
  }
}
