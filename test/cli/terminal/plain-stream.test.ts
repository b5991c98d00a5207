import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlainStream } from '../../../src/cli/terminal/plain-stream.js';
import { plainText } from '../../../src/domain/plain-text.js';

it('is the same as for the whole text, however it is cut', () => {
  const sequence = fc.constantFrom(
    '\u001B[31m',
    '\u001B]0;title\u0007',
    '\u001B]52;c;eA==\u001B\\',
    '\u009B1m',
    '\u001B(B',
    '\u001Bc',
    '\r\n',
    'word ',
    '日本\n',
  );
  fc.assert(
    fc.property(fc.array(sequence), fc.array(fc.integer({ min: 1, max: 5 })), (words, sizes) => {
      const text = words.join('');
      const stream = new PlainStream();
      let shown = '';
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        const size = sizes[turn % Math.max(1, sizes.length)] ?? 3;
        shown += stream.push(text.slice(at, at + size));
        at += size;
      }
      expect(shown + stream.flush()).toBe(plainText(text));
    }),
  );
});

it('never hides text behind a sequence that does not end', () => {
  const stream = new PlainStream();
  const rest = 'x'.repeat(2000);
  expect(stream.push('\u001B]0;') + stream.push(rest) + stream.flush()).toBe(`]0;${rest}`);
});
