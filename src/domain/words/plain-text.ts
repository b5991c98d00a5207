import { cutText } from '../../protocol/cut-text.js';
import { PlainStream } from './plain-stream.js';
import { longestSequence } from './terminal-sequence.js';
import { isUnseen } from './unseen-character.js';

// A text that shows less than one character in so many is cut before it has filled its room.
const unseenPerSeen = 8;

/**
 * Text of an agent as a person may see it, on a terminal, in a browser or on a phone: an agent may have read it anywhere.
 * `PlainStream` has the rules. With a length it is cut before it is read, so that a long text costs no more than a short
 * one, and an ellipsis says so.
 */
export function plainText(text: string, { maxLength = Number.POSITIVE_INFINITY }: TextLimit = {}): string {
  const begun = beginning(text, maxLength);
  return shortened(plain(begun), { maxLength, isCut: begun.length < text.length });
}

/** How much of a text is wanted; named, so that no index of a list is taken for it. */
export interface TextLimit {
  readonly maxLength?: number;
}

/** The same on one line. */
export function plainLine(text: string, { maxLength = Number.POSITIVE_INFINITY }: TextLimit = {}): string {
  const begun = beginning(text, maxLength);
  const line = plain(begun).replace(/\s+/g, ' ').trim();
  return shortened(line, { maxLength, isCut: begun.length < text.length });
}

/** Which characters a text has that `plainText` does not show, and how often: `U+202E` → 1. */
export function unseenCharacters(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (each: string, by: number) => {
    for (const character of each) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (!isUnseen(codePoint)) continue;
      const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
      counts.set(name, (counts.get(name) ?? 0) + by);
    }
  };
  count(text.replaceAll('\r\n', '\n'), 1);
  // An emoji's own joiners and selectors are shown with it.
  count(plain(text), -1);
  return new Map([...counts].filter(([, times]) => times > 0));
}

function plain(text: string): string {
  const stream = new PlainStream();
  return stream.push(text) + stream.flush();
}

function beginning(text: string, maxLength: number): string {
  return cutText(text, maxLength * unseenPerSeen + longestSequence);
}

function shortened(text: string, options: { readonly maxLength: number; readonly isCut: boolean }): string {
  const { maxLength, isCut } = options;
  if (text.length <= maxLength && !isCut) return text;
  // Once more, because the cut may have parted an emoji.
  return maxLength < 1 ? '' : `${plain(cutText(text, maxLength - 1))}…`;
}
