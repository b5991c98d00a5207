import { plainLine, unseenCharacters } from './plain-text.js';
import { isUnseen } from './unseen-character.js';

const joiner = 0x20_0d;
const selectors = new Set([0xfe_0e, 0xfe_0f]);
const keycap = '\u20E3';
const pictograph = /^\p{Extended_Pictographic}$/u;
const joinable = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const keycapBase = /^[0-9#*]$/;

/** How a character that shows nothing is written, so that a page can give it a colour. */
export const markPattern = /⟨U\+[0-9A-F]{4,6}⟩/;

// A text with one of each kind would fill the screen.
const mostKinds = 6;

/**
 * Text that a person is to approve: nothing of it vanishes. Where `plainText` takes out a character that shows nothing,
 * its code stands here, and the sequences of a terminal stand as the text that they are. CR LF is a line end.
 */
export function markedText(text: string): string {
  let marked = '';
  let last = '';
  let at = 0;
  while (at < text.length) {
    const seen = seenFrom(text, at);
    if (seen > at) {
      marked += text.slice(at, seen);
      last = text.charAt(seen - 1);
      at = seen;
      continue;
    }
    const codePoint = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(codePoint);
    at += character.length;
    if (codePoint === 0x0d && text[at] === '\n') continue;
    const isShown = !isUnseen(codePoint) || isOfEmoji(codePoint, last, characterAt(text, at));
    marked += isShown ? character : mark(codePoint);
    last = isShown ? character : '';
  }
  return marked;
}

/** The same on one line. */
export function markedLine(text: string): string {
  return plainLine(markedText(text));
}

/** Which characters that show nothing are in the strings of a value, its names included, and how often. */
export function hiddenCharacters(value: unknown): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // A list of its own, because a value may be nested deeper than calls can be.
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part === 'string')
      for (const [name, times] of unseenCharacters(part)) counts.set(name, (counts.get(name) ?? 0) + times);
    else if (Array.isArray(part)) for (const each of part) rest.push(each);
    else if (typeof part === 'object' && part !== null)
      for (const [name, each] of Object.entries(part)) rest.push(name, each);
  }
  return counts;
}

/** "contains 3 hidden characters: U+202E ×1, U+200B ×2", the most frequent last; nothing where there are none. */
export function hiddenWords(counts: ReadonlyMap<string, number>): string {
  const kinds = [...counts].toSorted(([, one], [, other]) => one - other);
  const sum = kinds.reduce((total, [, times]) => total + times, 0);
  if (sum === 0) return '';
  const named = kinds.slice(0, mostKinds).map(([name, times]) => `${name} ×${times}`);
  const others = kinds.length > mostKinds ? [`and ${kinds.length - mostKinds} other kinds`] : [];
  const what = sum === 1 ? '1 hidden character' : `${sum} hidden characters`;
  return `contains ${what}: ${[...named, ...others].join(', ')}`;
}

function mark(codePoint: number): string {
  return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The joiners and selectors that make an emoji, as `PlainStream` keeps them. */
function isOfEmoji(codePoint: number, last: string, next: string): boolean {
  if (codePoint === joiner) return joinable.test(last) && pictograph.test(next);
  if (!selectors.has(codePoint)) return false;
  return pictograph.test(last) || (keycapBase.test(last) && next === keycap);
}

function characterAt(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

/** How far a text goes on with characters that are seen and take one unit. */
function seenFrom(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isUnseen(text.charCodeAt(end))) end += 1;
  return end;
}
