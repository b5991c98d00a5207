import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BellFinder } from '../../../src/domain/status/bell.js';

const bel = '\u0007';
const esc = '\u001b';

test.each([
  ['a bell', `a${bel}b`, true],
  ['no bell', 'ab', false],
  ['a title that ends with one', `${esc}]0;title${bel}`, false],
  ['a title that ends otherwise, and a bell', `${esc}]0;title${esc}\\${bel}`, true],
  ['a link', `${esc}]8;;http://x${bel}y${esc}]8;;${bel}`, false],
  ['a device string', `${esc}Pq${bel}`, false],
  ['a colour, and a bell', `${esc}[31m${bel}`, true],
])('%s', (_, text, rang) => {
  expect(new BellFinder().hears(text)).toBe(rang);
});

test('it does not matter where the text is cut', () => {
  const piece = fc.constantFrom(bel, esc, ']', '[', '\\', 'P', 'x', '0;');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(30), (pieces, cut) => {
      const text = pieces.join('');
      const cutAt = Math.min(cut, text.length);
      const inTwo = new BellFinder();
      const heard = [inTwo.hears(text.slice(0, cutAt)), inTwo.hears(text.slice(cutAt))];
      expect(heard.includes(true)).toBe(new BellFinder().hears(text));
    }),
  );
});
