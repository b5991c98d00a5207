/** What a person pressed or pasted. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: NamedKey };

export type NamedKey =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page_up'
  | 'page_down'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'back_tab'
  | 'backspace'
  | 'delete'
  | 'erase_line'
  | 'erase_word'
  | 'interrupt';

/** What a mouse did and where on the screen; both counted from 1. */
export interface MousePress {
  readonly kind: 'click' | 'wheel_up' | 'wheel_down';
  readonly column: number;
  readonly row: number;
}

/** Whether it was the keyboard that sent it. */
export function isKey(sent: Key | MousePress): sent is Key {
  return !('row' in sent);
}

const pasteStart = '\u001B[200~';
const pasteEnd = '\u001B[201~';

/**
 * Turns what a terminal in raw mode sends into keys; a sequence or a paste may come in several pieces, with a slow line between
 * them. An escape alone may begin a sequence, so it is the key itself only once nothing has followed for a moment, which
 * `waited` says. What a mouse does comes among the keys, in the order in which it was done, and no key ever comes of it.
 */
export class KeyDecoder {
  #rest = '';
  /** An escape was taken for the key; what comes next may be the late rest of a sequence. */
  #hasEscaped = false;
  #isPasting = false;
  /** How much of a paste is known not to hold its end; a large one comes in many pieces. */
  #searched = 0;

  /** Whether an escape waits for what follows it. */
  get isWaiting(): boolean {
    return this.#rest === '\u001B';
  }

  push(chunk: string): (Key | MousePress)[] {
    // Letters of a sequence must never be taken for keys: the last one of "up" is the key that approves for good.
    const isLate = this.#hasEscaped && /^[[O]/.test(chunk);
    this.#hasEscaped = false;
    this.#rest += isLate ? `\u001B${chunk}` : chunk;
    return this.#sent();
  }

  /** Nothing has come for a moment: an escape that waits is the key. */
  waited(): Key[] {
    if (!this.isWaiting) return [];
    this.#rest = '';
    this.#hasEscaped = true;
    return [{ kind: 'escape' }];
  }

  /** What comes from now on stands for itself. */
  forgetEscape(): void {
    this.#hasEscaped = false;
  }

  #sent(): (Key | MousePress)[] {
    const all: (Key | MousePress)[] = [];
    while (this.#rest !== '') {
      const one = this.#isPasting ? this.#pasted() : this.#next();
      if (one === 'incomplete') break;
      if (one) all.push(one);
    }
    return all;
  }

  #pasted(): Key | 'incomplete' | undefined {
    const end = this.#rest.indexOf(pasteEnd, this.#searched);
    if (end < 0) {
      this.#searched = Math.max(0, this.#rest.length - pasteEnd.length);
      return 'incomplete';
    }
    this.#searched = 0;
    const text = this.#rest.slice(0, end).replace(/\r\n?/g, '\n');
    this.#rest = this.#rest.slice(end + pasteEnd.length);
    this.#isPasting = false;
    return { kind: 'paste', text };
  }

  #next(): Key | MousePress | 'incomplete' | undefined {
    if (this.#rest.startsWith(pasteStart)) {
      this.#rest = this.#rest.slice(pasteStart.length);
      this.#isPasting = true;
      return undefined;
    }
    if (this.#rest.startsWith('\u001B')) return this.#escaped();
    const [character = ''] = this.#rest;
    this.#rest = this.#rest.slice(character.length);
    const named = controls[character];
    if (named) return { kind: named };
    return character < ' ' ? undefined : { kind: 'text', text: character };
  }

  #escaped(): Key | MousePress | 'incomplete' | undefined {
    if (this.#rest === '\u001B') return 'incomplete';
    const [sequence] = complete.exec(this.#rest) ?? [];
    if (sequence === oldMouse) return this.#oldMousePress();
    if (sequence !== undefined) {
      const key = this.#take(sequence.length, sequences[sequence.slice(1)]);
      return key ?? mousePress(sequence);
    }
    if (begun.test(this.#rest)) return 'incomplete';
    return this.#take(1, 'escape');
  }

  /**
   * A terminal that does not know the newer reports sends three bytes, which may be letters that decide. Beyond column 95 two of
   * them can read as one character; what follows then is no part of the report, and an escape never is.
   */
  #oldMousePress(): 'incomplete' | undefined {
    const [report] = wholeOldMouse.exec(this.#rest) ?? [];
    if (report === undefined) return 'incomplete';
    this.#rest = this.#rest.slice(report.length);
    return undefined;
  }

  #take(length: number, kind: NamedKey | undefined): Key | undefined {
    this.#rest = this.#rest.slice(length);
    return kind && { kind };
  }
}

/* oxlint-disable no-control-regex -- the escape character begins what is read here */
const complete = /^\u001B(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/;
const begun = /^\u001B(?:\[[0-?]*[ -/]*|O)$/;
const mouseReport = /^\u001B\[<(\d{1,4});(\d{1,5});(\d{1,5})M$/;
const wholeOldMouse = /^\u001B\[M(?:[^\u001B]{3}|[^\u001B]{0,2}(?=\u001B))/u;
/* oxlint-enable no-control-regex */

const oldMouse = '\u001B[M';
/** By the number of the button; what is let go, moved or pressed together with another key means nothing here. */
const mouseKinds: Readonly<Record<string, MousePress['kind']>> = {
  '0': 'click',
  '64': 'wheel_up',
  '65': 'wheel_down',
};

function mousePress(sequence: string): MousePress | undefined {
  const [, button = '', column, row] = mouseReport.exec(sequence) ?? [];
  const kind = mouseKinds[button];
  return kind && { kind, column: Number(column), row: Number(row) };
}

const controls: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u0001': 'home',
  '\u0005': 'end',
  '\u0010': 'up',
  '\u000E': 'down',
  '\u0015': 'erase_line',
  '\u0017': 'erase_word',
};

const sequences: Readonly<Record<string, NamedKey>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[5~': 'page_up',
  '[6~': 'page_down',
  '[3~': 'delete',
  '[Z': 'back_tab',
};
