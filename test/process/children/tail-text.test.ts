import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TailText } from '../../../src/process/children/tail-text.js';

function tail(limit: number, ...chunks: (string | Buffer)[]): string {
  const text = new TailText(limit);
  for (const chunk of chunks) text.push(Buffer.from(chunk));
  return text.toString();
}

test('what fits is kept as it was printed', () => {
  expect(tail(100, 'plain\n', '\u001b[31;1mred\u001b[0m\r\n')).toBe('plain\n\u001b[31;1mred\u001b[0m\r\n');
});

test('of more the end is kept, from a whole line on', () => {
  expect(tail(12, 'first\nsecond\nthird\n')).toBe('third\n');
  expect(tail(5, 'one line without an end')).toBe('n end');
  expect(tail(4, 'é'.repeat(100))).toBe('éé');
});

test('a character that two chunks share is whole', () => {
  const bytes = Buffer.from('naïve\n');
  expect(tail(100, bytes.subarray(0, 3), bytes.subarray(3))).toBe('naïve\n');
});

test('whatever is printed, and in whatever pieces, the limit holds and it is the end', () => {
  const anything = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(anything, fc.integer({ min: 4, max: 64 }), (chunks, limit) => {
      const text = tail(limit, ...chunks.map((chunk) => Buffer.from(chunk)));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      const whole = Buffer.concat(chunks).toString('utf8');
      expect(whole.endsWith(text)).toBe(true);
      if (Buffer.byteLength(whole) <= limit) expect(text).toBe(whole);
    }),
  );
});
