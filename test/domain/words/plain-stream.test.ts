import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlainStream } from '../../../src/domain/words/plain-stream.js';
import { plainText } from '../../../src/domain/words/plain-text.js';
import { hostileText } from './hostile-text.js';

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
    '👩‍💻',
    '\r',
  );
  const text = fc.oneof(
    fc.array(sequence).map((words) => words.join('')),
    hostileText,
  );
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 })), (whole, sizes) => {
      const stream = new PlainStream();
      let shown = '';
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const size = sizes[turn % Math.max(1, sizes.length)] ?? 3;
        shown += stream.push(whole.slice(at, at + size));
        at += size;
      }
      expect(shown + stream.flush()).toBe(plainText(whole));
    }),
  );
});

it('never hides text behind a sequence that does not end', () => {
  const stream = new PlainStream();
  const rest = 'x'.repeat(5000);
  expect(stream.push('\u001B]0;') + stream.push(rest) + stream.flush()).toBe(`]0;${rest}`);
});

it('holds back no more than a sequence may be long', () => {
  const stream = new PlainStream();
  expect(stream.push('\u001B]0;') + stream.push('x'.repeat(5000))).toBe(`]0;${'x'.repeat(5000)}`);
});
