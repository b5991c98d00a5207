/** A sequence that is longer is none: what begins like one can hide no more text than this. */
export const longestSequence = 4096;

const escape = 0x1b;
const bell = 0x07;
const stringTerminator = 0x9c;

/** Where a sequence ends that begins at a place; `open` when the text ends first and more of it could complete it. */
export type SequenceEnd = number | 'open' | 'none';

/**
 * Finds the sequences that a terminal obeys: CSI with its parameters, the strings OSC, DCS, SOS, PM and APC with their
 * content, each in the form that begins with ESC and in the one-character form, and the shorter escapes.
 * Its time is linear, also for a text of nothing but beginnings: where a search for the end of a string has come to is kept.
 */
export class TerminalSequences {
  readonly #text: string;
  /** No string ends from the last place that was asked for up to here. */
  #searched = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The places that are asked for come in order. */
  endFrom(at: number): SequenceEnd {
    const first = this.#text.charCodeAt(at);
    if (first === escape) return this.#escapedEnd(at);
    if (first === 0x9b) return this.#controlEnd(at, at + 1);
    return isStringStart(first) ? this.#stringEnd(at, at + 1) : 'none';
  }

  #escapedEnd(at: number): SequenceEnd {
    if (at + 1 >= this.#text.length) return 'open';
    const second = this.#text.charCodeAt(at + 1);
    if (second === 0x5b) return this.#controlEnd(at, at + 2);
    // The one-character form of what ESC begins is 0x40 higher.
    if (isStringStart(second + 0x40)) return this.#stringEnd(at, at + 2);
    const final = this.#skip(at + 1, 0x20, 0x2f);
    return this.#endAt(at, final, 0x30);
  }

  #controlEnd(at: number, parameters: number): SequenceEnd {
    const final = this.#skip(this.#skip(parameters, 0x30, 0x3f), 0x20, 0x2f);
    return this.#endAt(at, final, 0x40);
  }

  #endAt(at: number, final: number, lowest: number): SequenceEnd {
    if (final - at >= longestSequence) return 'none';
    if (final >= this.#text.length) return 'open';
    const last = this.#text.charCodeAt(final);
    return last >= lowest && last <= 0x7e ? final + 1 : 'none';
  }

  #stringEnd(at: number, content: number): SequenceEnd {
    const end = Math.min(this.#text.length, at + longestSequence);
    let stop = Math.max(content, this.#searched);
    while (stop < end && !isStringStop(this.#text.charCodeAt(stop))) stop += 1;
    this.#searched = stop;
    if (stop - at >= longestSequence) return 'none';
    if (stop >= this.#text.length) return 'open';
    const found = this.#text.charCodeAt(stop);
    if (found === bell || found === stringTerminator) return stop + 1;
    if (found !== escape) return 'none';
    if (stop + 1 >= this.#text.length) return 'open';
    return this.#text[stop + 1] === '\\' ? stop + 2 : 'none';
  }

  #skip(at: number, lowest: number, highest: number): number {
    let end = at;
    for (; end < this.#text.length; end += 1) {
      const code = this.#text.charCodeAt(end);
      if (code < lowest || code > highest) break;
    }
    return end;
  }
}

/** DCS, SOS, OSC, PM and APC. */
function isStringStart(code: number): boolean {
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f);
}

/** What ends a string, and what calls it off: another escape, CAN, SUB. */
function isStringStop(code: number): boolean {
  return code === bell || code === escape || code === stringTerminator || code === 0x18 || code === 0x1a;
}
