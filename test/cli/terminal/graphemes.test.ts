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
