import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { graphemes, widthOf } from '../../../src/cli/terminal/graphemes.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

it('are those of the whole text, however long it is', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 200, maxLength: 400 });
  fc.assert(
    fc.property(text, (whole) => {
      expect([...graphemes(whole)]).toEqual(Array.from(segmenter.segment(whole), ({ segment }) => segment));
      expect(widthOf(whole)).toBe(stringWidth(whole));
    }),
    { numRuns: 20 },
  );
});

it('one without an end is cut, and nothing is lost', () => {
  const whole = `a${'\u0301'.repeat(1000)}b`;
  expect([...graphemes(whole)].join('')).toBe(whole);
});

it.each([
  'abc',
  '日本',
  '한국',
  'ｱ',
  '\u1112',
  'e\u0301',
  '\u0939\u093f',
  '\u0e01\u0e47',
  '😀',
  '👩‍👩‍👧',
  '👋🏽',
  '🇩🇪',
  '☺',
  '☺️',
  '1️⃣',
  '⚠',
  '❓',
  '✓ … └',
  '\u200b',
  '\u0001',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\u001b[31mred\u001b[0m',
  '\u001b[1;31m日\u001b[0m',
])('%j is as wide as the library of terminals says', (text) => {
  expect(widthOf(text)).toBe(stringWidth(text));
});
