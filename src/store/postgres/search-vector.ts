import { searchWords } from '../../domain/thread/search-words.js';
import { Failure } from '../../protocol/failure.js';

// PostgreSQL takes no word of more than 2046 bytes, and a letter has four at most.
const longestWord = 500;

/** The words of a text with their places, as a tsvector is written; not the server's own words, which depend on its language. */
export function searchVector(text: string): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of wordsOf(text).entries())
    places.set(word, [...(places.get(word) ?? []), index + 1]);
  return [...places].map(([word, at]) => `${word}:${at.slice(0, mostPlacesOfWord).join(',')}`).join(' ');
}

// PostgreSQL keeps no more of one word.
const mostPlacesOfWord = 255;

/** What a tsvector is asked for: every word, or a longer one that begins so; the parts of `src/a.ts` follow each other. */
export function searchQuery(search: string): string {
  const words = searchWords(search);
  if (words.length === 0) throw new Failure('invalid', 'Search for at least one letter or digit.');
  return words.map((word) => `(${wordsOf(word).join(' <-> ')}:*)`).join(' & ');
}

/** Small letters without accents; everything that is neither letter nor digit stands between words. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...plain.matchAll(/[\p{L}\p{N}\p{Co}]+/gu)].map(([word]) => word.slice(0, longestWord));
}
