import { TerminalSequences } from './terminal-sequence.js';
import { isUnseen } from './unseen-character.js';

const joiner = '\u200D';
const keycap = '\u20E3';
const pictograph = /^\p{Extended_Pictographic}$/u;
const joinable = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const keycapBase = /^[0-9#*]$/;

/**
 * Makes text plain that comes in pieces, also where a sequence or a character is cut in two.
 *
 * What stays is what a person sees: a terminal's sequences go, and so does every character that shows nothing.
 * - A sequence that does not end only loses its first character, so that it cannot hide the text behind it.
 * - A line ends with LF: CR LF, a CR alone (in a terminal it writes over what was said), U+2028 and U+2029 become one.
 * - Of the variation selectors and joiners those stay that make an emoji: U+FE0E or U+FE0F behind a pictograph or
 *   within a keycap, U+200D between two pictographs. Other scripts lose theirs, and stay readable.
 */
export class PlainStream {
  #rest = '';
  /** The last character that was kept, and what stays only if the next one fits. */
  #last = '';
  #held = '';
  #isAfterReturn = false;

  push(piece: string): string {
    return this.#read(this.#rest + piece, { isEnd: false });
  }

  /** What was held back, when no more comes. */
  flush(): string {
    const plain = this.#read(this.#rest, { isEnd: true });
    this.#last = '';
    this.#held = '';
    this.#isAfterReturn = false;
    return plain;
  }

  #read(text: string, { isEnd }: { readonly isEnd: boolean }): string {
    const sequences = new TerminalSequences(text);
    let plain = '';
    let at = 0;
    while (at < text.length) {
      const seen = seenFrom(text, at);
      if (seen > at) {
        plain += this.#keep(text.slice(at, seen), text[seen - 1]);
        at = seen;
        continue;
      }
      const end = sequences.endFrom(at);
      const isOpen = end === 'open' || (at + 1 === text.length && isFirstHalf(text.charCodeAt(at)));
      if (isOpen && !isEnd) break;
      if (typeof end === 'number') {
        at = end;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      plain += this.#single(character);
      at += character.length;
    }
    this.#rest = text.slice(at);
    return plain;
  }

  #single(character: string): string {
    switch (character) {
      case '\r':
      case '\u2028':
      case '\u2029': {
        this.#isAfterReturn = false;
        const line = this.#keep('\n');
        this.#isAfterReturn = character === '\r';
        return line;
      }
      case '\uFE0E':
      case '\uFE0F':
        if (pictograph.test(this.#last)) return this.#keep(character);
        if (keycapBase.test(this.#last)) this.#held = character;
        return '';
      case joiner:
        if (joinable.test(this.#last)) this.#held = joiner;
        return '';
      default:
        return isUnseen(character.codePointAt(0) ?? 0) ? '' : this.#keep(character);
    }
  }

  #keep(text: string, last = text): string {
    const kept = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#isAfterReturn = false;
    if (kept === '') return '';
    const next = String.fromCodePoint(kept.codePointAt(0) ?? 0);
    const fits = this.#held === joiner ? pictograph.test(next) : next === keycap;
    const held = fits ? this.#held : '';
    this.#held = '';
    this.#last = last;
    return held + kept;
  }
}

/** How far a text goes on with characters that are seen and take one unit. */
function seenFrom(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isUnseen(text.charCodeAt(end))) end += 1;
  return end;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
