import { stripVTControlCharacters } from 'node:util';
import { cutText } from '../../protocol/cut-text.js';

// Controls but the line feed, half surrogate pairs, and what reorders the text around it.
const unwanted = /[^\P{Cc}\n]|\p{Cs}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** An agent's words as they may leave the machine: what a terminal or a screen would obey is gone, and so is the rest of a long text. */
export function plainText(text: string, length: number): string {
  const plain = stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .trim();
  return plain.length <= length ? plain : `${cutText(plain, length - 1)}…`;
}

/** The same on one line. */
export function plainLine(text: string, length: number): string {
  return plainText(plainText(text, text.length).replace(/\s+/g, ' '), length);
}
