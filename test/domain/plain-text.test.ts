import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainLine, plainText } from '../../src/domain/plain-text.js';

it.each([
  ['a colour', '\u001B[31mred\u001B[0m', 'red'],
  ['a title', '\u001B]0;owned\u0007text', 'text'],
  ['the clipboard', '\u001B]52;c;ZXZpbA==\u001B\\text', 'text'],
  ['a link', '\u001B]8;;http://evil\u001B\\click\u001B]8;;\u001B\\', 'click'],
  ['a clear screen', 'a\u001B[2J\u001B[Hb', 'ab'],
  ['one-byte controls', 'a\u009B31mb\u009D0;owned\u009Cc', 'abc'],
  ['a device string', 'a\u001BPq#0\u001B\\b', 'ab'],
  ['a reset', 'a\u001Bcb', 'ab'],
  ['a carriage return that overwrites', 'rm -rf /\recho hi', 'rm -rf /echo hi'],
  ['backspaces', 'evil\b\b\b\bgood', 'evilgood'],
  ['reordered text', 'a\u202Etxt.exe', 'atxt.exe'],
  ['an unterminated title, which hides nothing', 'a\u001B]0;rest', 'a]0;rest'],
  ['lines and tabs, which stay', 'a\r\nb\tc\n', 'a\nb\tc\n'],
  ['emoji and umlauts, which stay', '🎉 für 日本', '🎉 für 日本'],
])('is safe with %s', (_what, hostile, safe) => {
  expect(plainText(hostile)).toBe(safe);
});

it('leaves nothing that a terminal would obey, whatever comes', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\u001B',
      '\u001B[',
      '\u001B]',
      '\u009B',
      '\u0007',
      '\u001B\\',
      ';',
      '0',
      'm',
      '\r',
      '\u202E',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const safe = plainText(pieces.join(''));
      expect(safe.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
      expect(plainText(safe)).toBe(safe);
    }),
  );
});

it('puts text on one line', () => {
  expect(plainLine(' a\n\n  b\tc ')).toBe('a b c');
});
