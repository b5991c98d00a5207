import { expect, it } from 'vitest';
import { byteWords } from '../../../src/domain/words/byte-words.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [123_456, '123 KB'],
  [2_340_000, '2.3 MB'],
  [5e13, '50.0 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(byteWords(bytes)).toBe(words);
});
