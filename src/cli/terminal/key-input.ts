import { isKey, type Key, KeyDecoder, type MousePress } from './key.js';

const pasteOn = '\u001B[?2004h\u001B[?25l';
const pasteOff = '\u001B[?2004l\u001B[?25h';
// Clicks and the wheel, as numbers: the older form ends at column 223.
const mouseOn = '\u001B[?1006h\u001B[?1000h';
const mouseOff = '\u001B[?1000l\u001B[?1006l';

// The rest of a sequence is there at once on this machine, and within this over most lines; a person does not notice it.
const escapeMs = 80;
// What comes later than this after an escape was typed.
const lateMs = 1000;

/** The keyboard of this terminal, key by key and without an echo, until it is disposed of. */
export class KeyInput implements Disposable {
  readonly #onKey: (key: Key | 'end') => void;
  readonly #onMouse: ((press: MousePress) => void) | undefined;
  readonly #decoder = new KeyDecoder();
  #isOpen = false;
  #isMouseOn = false;
  #escape: NodeJS.Timeout | undefined;
  #readFirst: NodeJS.Immediate | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(onKey: (key: Key | 'end') => void, onMouse?: (press: MousePress) => void) {
    this.#onKey = onKey;
    this.#onMouse = onMouse;
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
    process.stderr.write(this.#isMouseOn ? pasteOn + mouseOn : pasteOn);
    // A crash ends the process without any disposal; the shell must get its terminal back all the same.
    process.once('exit', this.#restore);
  }

  /** Leaves the terminal to somebody else, for the time being or for good. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#waitNoMore();
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

  /** Takes clicks and the wheel from the terminal, which then selects text only with Shift held down; or gives them back. */
  useMouse(isOn: boolean): void {
    if (isOn === this.#isMouseOn) return;
    this.#isMouseOn = isOn;
    if (this.#isOpen) process.stderr.write(isOn ? mouseOn : mouseOff);
  }

  readonly #take = (chunk: string | Buffer) => {
    this.#waitNoMore();
    this.#tell(this.#decoder.push(String(chunk)));
    if (!this.#isOpen || !this.#decoder.isWaiting) return;
    // What has come meanwhile is read before immediates run, however late this process gets to it.
    this.#escape = setTimeout(() => (this.#readFirst = setImmediate(this.#waited)), escapeMs);
  };

  #waitNoMore(): void {
    clearTimeout(this.#escape);
    clearImmediate(this.#readFirst);
  }

  readonly #waited = () => {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#decoder.forgetEscape(), lateMs);
    this.#tell(this.#decoder.waited());
  };

  /** In the order in which a person did it: a key says what the click after it is about, and the other way round. */
  #tell(all: readonly (Key | MousePress)[]): void {
    for (const one of all) {
      if (!this.#isOpen) return;
      if (isKey(one)) this.#onKey(one);
      else if (this.#isMouseOn) this.#onMouse?.(one);
    }
  }

  readonly #end = () => this.#onKey('end');

  readonly #restore = () => {
    process.stdin.setRawMode(false);
    process.stderr.write(this.#isMouseOn ? mouseOff + pasteOff : pasteOff);
  };
}

/** Whether keys can be read and lines be drawn again here; a dumb terminal can do neither. */
export function isCapable(env: NodeJS.ProcessEnv = process.env): boolean {
  const term = env['TERM'] ?? '';
  return process.stdin.isTTY && process.stderr.isTTY && term !== '' && term !== 'dumb';
}
