import { type Key, KeyDecoder } from './key.js';

const pasteOn = '\u001B[?2004h\u001B[?25l';
const pasteOff = '\u001B[?2004l\u001B[?25h';

/** The keyboard of this terminal, key by key and without an echo, until it is disposed of. */
export class KeyInput implements Disposable {
  readonly #onKey: (key: Key | 'end') => void;
  readonly #decoder = new KeyDecoder();
  #isOpen = false;

  constructor(onKey: (key: Key | 'end') => void) {
    this.#onKey = onKey;
    this.open();
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { stdin } = process;
    stdin.setRawMode(true);
    stdin.setEncoding('utf8');
    stdin.on('data', this.#take);
    stdin.on('end', this.#end);
    stdin.resume();
    process.stderr.write(pasteOn);
    // A crash ends the process without any disposal; the shell must get its terminal back all the same.
    process.once('exit', this.#restore);
  }

  /** Leaves the terminal to somebody else, for the time being or for good. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off('exit', this.#restore);
    const { stdin } = process;
    stdin.off('data', this.#take);
    stdin.off('end', this.#end);
    stdin.pause();
    this.#restore();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  readonly #take = (chunk: string | Buffer) => {
    for (const key of this.#decoder.push(String(chunk))) if (this.#isOpen) this.#onKey(key);
  };

  readonly #end = () => this.#onKey('end');

  readonly #restore = () => {
    process.stdin.setRawMode(false);
    process.stderr.write(pasteOff);
  };
}

/** Whether keys can be read and lines be drawn again here; a dumb terminal can do neither. */
export function isCapable(env: NodeJS.ProcessEnv = process.env): boolean {
  const term = env['TERM'] ?? '';
  return process.stdin.isTTY && process.stderr.isTTY && term !== '' && term !== 'dumb';
}
