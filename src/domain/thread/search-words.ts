import { cutText } from '../../protocol/cut-text.js';
import { plainLine } from '../words/plain-text.js';

export const longestSearch = 500;
const mostWords = 20;
const excerptLength = 160;
// So that the word is not the first thing that is read.
const wordsBefore = 40;

/** The words that a search looks for; what has neither letter nor digit finds nothing and is left out. */
export function searchWords(search: string): string[] {
  return cutText(search, longestSearch)
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, mostWords);
}

/** The part of a text around the first of these words that stands in it, on one line, as a person may see it. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = first <= wordsBefore ? 0 : first - wordsBefore;
  const line = plainLine(text.slice(from), { maxLength: excerptLength });
  return from > 0 ? `…${line}` : line;
}
