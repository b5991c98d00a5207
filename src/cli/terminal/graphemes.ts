import { eastAsianWidth } from 'get-east-asian-width';
import { cutText } from '../../protocol/cut-text.js';

// Made when the first text needs it: most output is plain ASCII, and the data of Unicode takes a while to load.
let segmenter: Intl.Segmenter | undefined;

// Node 20's segmenter takes time with the square of a text's length: 40,000 characters take three seconds.
const windowLength = 128;

/** What a person takes for one character, one after the other. */
export function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
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
  if (isPrintableAscii.test(text)) return text.length;
  const plain = text.replaceAll(colour, '');
  if (isPrintableAscii.test(plain)) return plain.length;
  let width = 0;
  for (const part of graphemes(plain)) width += graphemeWidth(part);
  return width;
}

const isPrintableAscii = /^[ -~]*$/;
// oxlint-disable-next-line no-control-regex -- colours begin with one
const colour = /\u001b\[[\d;]*m/g;
const takesNoColumn = /^[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u;
const isEmoji = /\p{Emoji_Presentation}|\ufe0f/u;
const spacingMarks = /\p{Mc}/gu;

/** By its first character, as terminals count; signs that stand beside a letter take a column of their own. */
function graphemeWidth(part: string): number {
  if (takesNoColumn.test(part)) return 0;
  if (isEmoji.test(part)) return 2;
  const first = part.codePointAt(0) ?? 0;
  const beside = part.slice(first > 0xffff ? 2 : 1).match(spacingMarks);
  return eastAsianWidth(first) + (beside?.length ?? 0);
}
