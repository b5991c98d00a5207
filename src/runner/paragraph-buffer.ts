import { cutText } from '../protocol/cut-text.js';

const limit = 4096;
const blankLine = /\n[^\S\n]*\n+/g;

/** Collects streamed text and gives it out by whole paragraphs; what it gives out adds up to what came in. */
export class ParagraphBuffer {
  #text = '';

  push(text: string): string[] {
    this.#text += text;
    // Only a newline can complete a paragraph, and most deltas have none.
    const paragraphs = text.includes('\n') ? this.#takeParagraphs() : [];
    while (this.#text.length > limit) paragraphs.push(this.#take(cutBefore(this.#text)));
    return paragraphs;
  }

  /** Drops so many characters at the end, as far as they were not given out yet. */
  discard(length: number): void {
    this.#text = this.#text.slice(0, Math.max(0, this.#text.length - length));
  }

  flush(): string[] {
    return this.#text === '' ? [] : [this.#take(this.#text.length)];
  }

  #takeParagraphs(): string[] {
    const ends = [...this.#text.matchAll(blankLine)].map((match) => match.index + match[0].length);
    let taken = 0;
    return ends.map((end) => {
      const paragraph = this.#take(end - taken);
      taken = end;
      return paragraph;
    });
  }

  #take(length: number): string {
    const head = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return head;
  }
}

function cutBefore(text: string): number {
  const newline = text.lastIndexOf('\n', limit - 1);
  if (newline >= 0) return newline + 1;
  return cutText(text, limit).length;
}
