import { type Key, KeyDecoder } from './key.js';

const pasteOn = '\u001B[?2004h\u001B[?25l';
const pasteOff = '\u001B[?2004l\u001B[?25h';

// The rest of a sequence is there at once on this machine, and within this over most lines; a person does not notice it.
const escapeMs = 80;
// What comes later than this after an escape was typed.
const lateMs = 1000;

/** The keyboard of this terminal, key by key and without an echo, until it is disposed of. */
export class KeyInput implements Disposable {
  readonly #onKey: (key: Key | 'end') => void;
  readonly #decoder = new KeyDecoder();
  #isOpen = false;
  #escape: NodeJS.Timeout | undefined;
  #late: NodeJS.Timeout | undefined;

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
    clearTimeout(this.#escape);
    clearTimeout(this.#late);
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
    clearTimeout(this.#escape);
    this.#tell(this.#decoder.push(String(chunk)));
    if (this.#isOpen && this.#decoder.isWaiting) this.#escape = setTimeout(this.#waited, escapeMs);
  };

  readonly #waited = () => {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#decoder.forgetEscape(), lateMs);
    this.#tell(this.#decoder.waited());
  };

  #tell(keys: readonly Key[]): void {
    for (const key of keys) if (this.#isOpen) this.#onKey(key);
  }

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
