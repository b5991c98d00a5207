import { expect, it } from 'vitest';
import { excerptOf, searchWords } from '../../../src/domain/thread/search-words.js';

it('words are what has a letter or a digit', () => {
  expect(searchWords(' fix  "the" -- src/a.ts \u0000x\ny * ')).toEqual([
    'fix',
    '"the"',
    'src/a.ts',
    'x',
    'y',
  ]);
  expect(searchWords('"*" ( ^')).toEqual([]);
  expect(searchWords('w '.repeat(1000)).length).toBe(20);
});

it('an excerpt shows the first word that stands there, on one line, without what steers a terminal', () => {
  expect(excerptOf('one\n\u001b[31mtwo\u202e three', ['three'])).toBe('one two three');
  const long = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`;
  expect(excerptOf(long, ['NEEDLE'])).toMatch(/^…[bfor e]{30,40}needle after .*…$/);
  expect(excerptOf('nothing of it', ['absent'])).toBe('nothing of it');
});
