import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointerLines } from '../../../src/cli/view/pointer-lines.js';

test.each([
  ['the beginning', { text: '61 * * * *', column: 1, length: 2 }, ['  61 * * * *', '  ^^']],
  ['behind the end', { text: '0 7 *', column: 6 }, ['  0 7 *', '       ^']],
  ['a tab and wide characters before it', { text: '\t日本 x', column: 5 }, ['   日本 x', '        ^']],
  ['what is hidden is a dot', { text: 'a\u202eb\u001b[2Jc', column: 4 }, ['  a·b·[2Jc', '     ^']],
  [
    'the middle of a long line',
    { text: `${'a'.repeat(200)}!${'b'.repeat(200)}`, column: 201 },
    [`  …${'a'.repeat(50)}!${'b'.repeat(49)}…`, `  ${' '.repeat(51)}^`],
  ],
])('%s', (_, place, lines) => {
  expect(pointerLines({ line: 1, ...place })).toEqual(lines);
});

test('whatever the text is, there are two short lines, and nothing in them steers a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(300), fc.nat(300), (text, column, length) => {
      const lines = pointerLines({ text, line: 1, column: column + 1, length });
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      for (const line of lines) expect(line.length).toBeLessThan(220);
    }),
  );
});
