import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ParagraphBuffer } from '../../src/runner/paragraph-buffer.js';

function feed(chunks: readonly string[]): string[] {
  const buffer = new ParagraphBuffer();
  return [...chunks.flatMap((chunk) => buffer.push(chunk)), ...buffer.flush()];
}

describe('paragraphs', () => {
  test('go out whole, with the blank line that ends them; the last stays until it is flushed', () => {
    const buffer = new ParagraphBuffer();
    expect(buffer.push('one\ntwo\n')).toEqual([]);
    expect(buffer.push('\nthree\n \nfour')).toEqual(['one\ntwo\n\n', 'three\n \n']);
    expect(buffer.flush()).toEqual(['four']);
    expect(buffer.flush()).toEqual([]);
  });

  test('past 4,096 characters break at the nearest newline before', () => {
    const line = `${'x'.repeat(99)}\n`;
    expect(feed([line.repeat(45)])).toEqual([line.repeat(40), line.repeat(5)]);
  });

  test('without any newline break hard at 4,096, but never inside a character', () => {
    expect(feed(['x'.repeat(5000)]).map((part) => part.length)).toEqual([4096, 904]);
    const [first, second] = feed([`${'x'.repeat(4095)}🙋${'y'.repeat(10)}`]);
    expect([first?.length, second]).toEqual([4095, `🙋${'y'.repeat(10)}`]);
  });

  test('that were given up are not given out', () => {
    const buffer = new ParagraphBuffer();
    buffer.push('kept. half an ans');
    buffer.discard('half an ans'.length);
    expect([...buffer.push('the answer'), ...buffer.flush()]).toEqual(['kept. the answer']);
    buffer.push('short');
    buffer.discard(99);
    expect(buffer.flush()).toEqual([]);
  });
});

test('whatever the chunking, the parts add up to the text, and only whole paragraphs are longer than 4,096', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('\n', '\n\n', '\r\n\r\n', '🙋', ' \n \n', 'x'.repeat(4095), 'y'.repeat(5000)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (chunks) => {
      const parts = feed(chunks);
      expect(parts.join('')).toBe(chunks.join(''));
      expect(parts.every((part) => part !== '' && (part.length <= 4096 || /\n\s*\n$/.test(part)))).toBe(true);
    }),
  );
});
