import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TailText } from '../../src/process/tail-text.js';

function tail(limit: number, ...chunks: (string | Buffer)[]): string {
  const text = new TailText(limit);
  for (const chunk of chunks) text.push(Buffer.from(chunk));
  return text.toString();
}

test('what fits is kept, without colours, titles and other orders to a terminal', () => {
  expect(tail(100, 'plain\n', '\u001b[31;1mred\u001b[0m\n')).toBe('plain\nred\n');
  expect(tail(100, '\u001b]0;title\u0007a\u001b]8;;http://x.invalid\u001b\\link\u001b]8;;\u001b\\b\n')).toBe(
    'alinkb\n',
  );
  expect(tail(100, '\u001b[2J\u001b[H\u009b5mx\u001bPq#0\u001b\\y\u001bcz\u0000\u0007\u0008\n')).toBe(
    'xyz\n',
  );
  expect(tail(100, '10%\r20%\r100%\r\nétape\tfin\n')).toBe('10%\n20%\n100%\nétape\tfin\n');
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

test('whatever is printed, the limit holds and nothing is left to obey', () => {
  const anything = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(anything, fc.integer({ min: 4, max: 64 }), (chunks, limit) => {
      const text = tail(limit, ...chunks.map((chunk) => Buffer.from(chunk)));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});
