/* oxlint-disable no-control-regex -- control characters are what this file is about */
import { plainText } from '../../domain/plain-text.js';

// A sequence at the end that may go on in the next piece; longer than this it is not one.
const unfinished =
  /(?:(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C]{0,1000}\u001B?|(?:\u001B\[|\u009B)[ -?]{0,100}|\u001B[ -/]{0,10}|\r)$/;

/** Makes text plain that comes in pieces, also where a sequence is cut in two. */
export class PlainStream {
  #held = '';

  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = unfinished.exec(text)?.[0] ?? '';
    return plainText(text.slice(0, text.length - this.#held.length));
  }

  /** What was held back, when no more comes. */
  flush(): string {
    const rest = plainText(this.#held);
    this.#held = '';
    return rest;
  }
}
