import stringWidth from 'string-width';
import { cutText } from '../../protocol/cut-text.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Node 20's segmenter takes time with the square of a text's length: 40,000 characters take three seconds.
const windowLength = 128;

/** What a person takes for one character, one after the other. */
export function* graphemes(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const window = cutText(text.slice(at, at + windowLength + 1), windowLength);
    const parts = Array.from(segmenter.segment(window), ({ segment }) => segment);
    // The last one may go on behind the window.
    const isWhole = at + window.length === text.length || parts.length === 1;
    const certain = isWhole ? parts : parts.slice(0, -1);
    yield* certain;
    at += certain.reduce((sum, part) => sum + part.length, 0);
  }
}

/** How many columns a text takes that has no line breaks; colours take none. */
export function widthOf(text: string): number {
  if (text.length <= windowLength) return stringWidth(text);
  let width = 0;
  for (const part of graphemes(text)) width += stringWidth(part);
  return width;
}
