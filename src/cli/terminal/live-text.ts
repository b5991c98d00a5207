/**
 * Puts text that streams in pieces and the whole paragraphs that follow them together, so that each word is shown
 * once: pieces may be missing after a broken connection, paragraphs never are.
 */
export class LiveText {
  #shown = '';

  /** A piece while it is written; all of it is to be shown. */
  piece(text: string): string {
    this.#shown += text;
    return text;
  }

  /** A paragraph for good; what is not on the screen yet is to be shown. */
  paragraph(text: string): string {
    if (text.startsWith(this.#shown)) {
      const rest = text.slice(this.#shown.length);
      this.#shown = '';
      return rest;
    }
    if (this.#shown.startsWith(text)) {
      this.#shown = this.#shown.slice(text.length);
      return '';
    }
    this.#shown = '';
    return `\n${text}`;
  }
}
