import { isUnseen } from '../../domain/words/unseen-character.js';
import type { TextPlace } from '../../protocol/placed-failure.js';
import { widthOf } from '../terminal/graphemes.js';

const indent = '  ';
// What stands before and behind the place is for orientation only.
const shownBefore = 50;
const shownBehind = 50;
const longestMark = 40;

/** The line of a text, and below it a mark under the place. The text is anybody's, so what shows nothing is a dot. */
export function pointerLines({ text, column, length = 1 }: TextPlace): [string, string] {
  const at = Math.min(column - 1, text.length);
  const from = Math.max(0, at - shownBefore);
  const to = Math.min(text.length, at + shownBehind);
  const before = `${from > 0 ? '…' : ''}${seen(text.slice(from, at))}`;
  const behind = `${seen(text.slice(at, to))}${to < text.length ? '…' : ''}`;
  const marked = seen(text.slice(at, Math.min(to, at + Math.min(length, longestMark))));
  return [
    `${indent}${before}${behind}`,
    `${indent}${' '.repeat(widthOf(before))}${'^'.repeat(Math.max(1, widthOf(marked)))}`,
  ];
}

function seen(text: string): string {
  return Array.from(text, (character) => {
    if (character === '\t' || character === '\n') return ' ';
    return isUnseen(character.codePointAt(0) ?? 0) ? '·' : character;
  }).join('');
}
