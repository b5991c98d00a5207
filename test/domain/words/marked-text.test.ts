import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hiddenCharacters,
  hiddenWords,
  markedText,
  markPattern,
} from '../../../src/domain/words/marked-text.js';
import { unseenCharacters } from '../../../src/domain/words/plain-text.js';
import { hostileText } from './hostile-text.js';

it.each([
  ['reordered text', 'a\u202Etxt.exe', 'a⟨U+202E⟩txt.exe'],
  ['something between letters', 'r\u200Bm', 'r⟨U+200B⟩m'],
  ['a colour, which is text here', '\u001B[31mred', '⟨U+001B⟩[31mred'],
  ['a title with words in it', 'a\u001B]0;rm -rf\u0007b', 'a⟨U+001B⟩]0;rm -rf⟨U+0007⟩b'],
  ['words in tags', 'a\u{E0065}b', 'a⟨U+E0065⟩b'],
  ['half a surrogate pair', 'a\uD800b', 'a⟨U+D800⟩b'],
  ['a carriage return that overwrites', 'rm\recho', 'rm⟨U+000D⟩echo'],
  ['line ends and tabs, which stay', 'a\r\nb\tc\n', 'a\nb\tc\n'],
  ['emoji, which stay', '👩‍💻 ❤️‍🔥 1️⃣ 日本', '👩‍💻 ❤️‍🔥 1️⃣ 日本'],
  ['a joiner that joins nothing', 'a\u200Db 👩\u200D.', 'a⟨U+200D⟩b 👩⟨U+200D⟩.'],
])('marks %s', (_, text, marked) => {
  expect(markedText(text)).toBe(marked);
});

it('whatever comes, nothing is left that nobody sees, and what was is marked', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const marked = markedText(text);
      expect(unseenCharacters(marked)).toEqual(new Map());
      if (unseenCharacters(text).size > 0) expect(marked).toMatch(markPattern);
    }),
  );
});

it('counts in every string of a value, names too, however deep', () => {
  const value = { a: 'x\u202E', list: [{ 'na\u200Bme': ['\u200B'] }], n: 1, no: null };
  expect(hiddenCharacters(value)).toEqual(
    new Map([
      ['U+202E', 1],
      ['U+200B', 2],
    ]),
  );
  let deep: unknown = '\u200B';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(hiddenWords(hiddenCharacters(deep))).toBe('contains 1 hidden character: U+200B ×1');
});

it.each([
  [{}, ''],
  [{ 'U+200B': 2, 'U+202E': 1 }, 'contains 3 hidden characters: U+202E ×1, U+200B ×2'],
  [
    Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`U+${index}`, 1])),
    'contains 9 hidden characters: U+0 ×1, U+1 ×1, U+2 ×1, U+3 ×1, U+4 ×1, U+5 ×1, and 3 other kinds',
  ],
])('%j: %s', (counts, words) => {
  expect(hiddenWords(new Map(Object.entries(counts)))).toBe(words);
});
