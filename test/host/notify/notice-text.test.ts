import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine } from '../../../src/domain/words/plain-text.js';
import { noticeText } from '../../../src/host/notify/notice-text.js';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['links of a terminal', '\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007', 'here'],
  ['bells, backspaces and nulls', 'a\u0007b\u0008c\u0000d', 'abcd'],
  ['eight-bit controls', 'a\u0085b\u009cc', 'abc'],
  ['what turns text around', 'rm \u202egpj.txt', 'rm gpj.txt'],
  ['half surrogate pairs', 'a\ud800b', 'ab'],
  ['carriage returns', 'safe\r\nline\rover', 'safe\nline\nover'],
  ['the space around it', ' \n text \n ', 'text'],
])('loses %s', (_, given, plain) => {
  expect(noticeText(given, 100)).toBe(plain);
});

test('is cut with a mark, and not within a character', () => {
  expect(noticeText('abcdef', 6)).toBe('abcdef');
  expect(noticeText('abcdefg', 6)).toBe('abcde…');
  expect(noticeText('abcd😀fg', 6)).toBe('abcd…');
});

test('on one line has single spaces', () => {
  expect(plainLine(' a\n\tb   c ', { maxLength: 100 })).toBe('a b c');
});

test('is plain and short whatever was given', () => {
  assert(
    property(string({ unit: 'binary' }), integer({ min: 1, max: 40 }), (text, length) => {
      const plain = noticeText(text, length);
      expect(plain.length).toBeLessThanOrEqual(length);
      expect(plain).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|[\u202A-\u202E\u2066-\u2069]/u);
      expect(plainLine(text, { maxLength: length })).not.toMatch(/\n/);
    }),
  );
});
