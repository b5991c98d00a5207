import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine, plainText, unseenCharacters } from '../../../src/domain/words/plain-text.js';
import { isUnseen } from '../../../src/domain/words/unseen-character.js';
import { hostileText } from './hostile-text.js';

// Lone ones of what makes an emoji are found by reading a text twice.
const ofEmoji = /\u200D|\uFE0E|\uFE0F/;
const forbidden =
  /(?!\n|\t|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

it.each([
  ['a colour', '\u001B[31mred\u001B[0m', 'red'],
  ['a title', '\u001B]0;owned\u0007text', 'text'],
  ['the clipboard', '\u001B]52;c;ZXZpbA==\u001B\\text', 'text'],
  ['a link', '\u001B]8;;http://evil\u001B\\click\u001B]8;;\u001B\\', 'click'],
  ['a clear screen', 'a\u001B[2J\u001B[Hb', 'ab'],
  ['one-byte controls', 'a\u009B31mb\u009D0;owned\u009Cc', 'abc'],
  ['a device string', 'a\u001BPq#0\u001B\\b', 'ab'],
  ['strings of every kind', 'a\u001BXb\u001B\\\u001B^c\u0007\u001B_d\u009C\u0098e\u009C\u009Ef\u0007g', 'ag'],
  ['a reset', 'a\u001Bcb', 'ab'],
  ['another character set', 'a\u001B(Bb\u001B#8c', 'abc'],
  ['an escape that another one calls off', 'a\u001B\u001B[31mb', 'ab'],
  ['a carriage return that overwrites', 'rm -rf /\recho hi', 'rm -rf /\necho hi'],
  ['carriage returns', 'a\r\r\nb\r\nc\r', 'a\n\nb\nc\n'],
  ['backspaces', 'evil\b\b\b\bgood', 'evilgood'],
  ['eight-bit controls', 'a\u0085b\u009Cc', 'abc'],
  ['reordered text', 'a\u202Etxt.exe', 'atxt.exe'],
  ['isolates and marks of direction', '\u2066a\u2069\u200Eb\u200F\u061Cc', 'abc'],
  ['words with something between their letters', 'r\u200Bm\u00AD -\u2060r\uFEFFf', 'rm -rf'],
  ['fillers', 'a\u115F\u1160\u3164\uFFA0\u034F\u180Eb', 'ab'],
  ['words in tags', 'a\u{E0001}\u{E0065}\u{E0076}\u{E007F}b', 'ab'],
  ['bytes in variation selectors', 'a\uFE00\uFE0F\u{E0101}b', 'ab'],
  ['other line ends', 'a\u2028b\u2029c', 'a\nb\nc'],
  ['half surrogate pairs', 'a\uD800b\uDC00c\uD83D', 'abc'],
  ['an unterminated title, which hides nothing', 'a\u001B]0;rest', 'a]0;rest'],
  ['a title that is called off, which hides nothing', 'a\u001B]0;\u0018rest\u0007', 'a]0;rest'],
  ['a title of a page, which hides nothing', `\u001B]${'x'.repeat(5000)}\u0007`, `]${'x'.repeat(5000)}`],
  ['a sequence without an end, which hides nothing', 'a\u001B[31', 'a[31'],
  ['lines and tabs, which stay', 'a\r\nb\tc\n', 'a\nb\tc\n'],
  ['emoji and umlauts, which stay', '🎉 für 日本', '🎉 für 日本'],
  ['emoji of several parts, which stay', '👩‍💻 👨🏽‍🚀 ❤️‍🔥 🏳️‍🌈 1️⃣ ©️ 🇩🇪', '👩‍💻 👨🏽‍🚀 ❤️‍🔥 🏳️‍🌈 1️⃣ ©️ 🇩🇪'],
  ['joiners that join nothing', 'a\u200Db 👩\u200D. 👩\u200D\u200D💻 1\uFE0F2', 'ab 👩. 👩\u200D💻 12'],
])('is safe with %s', (_what, hostile, safe) => {
  expect(plainText(hostile)).toBe(safe);
  expect(plainText(safe)).toBe(safe);
});

it('knows every character that Unicode says is not seen', () => {
  const missed: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const shows = !/(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u.test(
      String.fromCodePoint(code),
    );
    if (shows === isUnseen(code)) missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
});

describe('whatever comes', () => {
  it('nothing is left that a terminal would obey or nobody sees', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const safe = plainText(text);
        expect(safe).not.toMatch(forbidden);
        expect(plainText(safe)).toBe(safe);
        expect(safe.length).toBeLessThanOrEqual(text.length);
        expect(unseenCharacters(safe)).toEqual(new Map());
      }),
    );
  });

  it('plain text stays as it is', () => {
    const character = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((each) => !forbidden.test(each) && !ofEmoji.test(each));
    const word = fc.oneof(character, fc.constantFrom('\n', '\t', '❤️‍🔥', '0️⃣'));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(plainText(words.join(' '))).toBe(words.join(' '));
      }),
    );
  });

  it('a length holds, and what is shorter is whole', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const safe = plainText(text, { maxLength: length });
        expect(safe.length).toBeLessThanOrEqual(length);
        expect(plainText(safe)).toBe(safe);
        const whole = plainText(text);
        if (whole.length <= length) expect(safe).toBe(whole);
        else expect(safe.endsWith('…')).toBe(true);
        expect(plainLine(text, { maxLength: length }).length).toBeLessThanOrEqual(length);
        expect(plainLine(text, { maxLength: length })).not.toMatch(/[\n\t]/);
      }),
    );
  });
});

it('is cut with a mark, and not within a character', () => {
  expect(plainText('abcdef', { maxLength: 6 })).toBe('abcdef');
  expect(plainText('abcdefg', { maxLength: 6 })).toBe('abcde…');
  expect(plainText('abcd😀fg', { maxLength: 6 })).toBe('abcd…');
  expect(plainText('a👩‍💻b', { maxLength: 5 })).toBe('a👩…');
  expect(plainText(`${'\u200B'.repeat(100_000)}late`, { maxLength: 10 })).toBe('…');
});

it('puts text on one line', () => {
  expect(plainLine(' a\n\n  b\tc ')).toBe('a b c');
  expect(plainLine('a\r\nb\u2028c', { maxLength: 100 })).toBe('a b c');
  expect(plainLine(' a   b   c ', { maxLength: 4 })).toBe('a b…');
});

it('names what is not seen', () => {
  expect(unseenCharacters('rm\u202E \u200B-\u200Brf \u001B[31m👩‍💻\u{E0041}\r\n')).toEqual(
    new Map([
      ['U+202E', 1],
      ['U+200B', 2],
      ['U+001B', 1],
      ['U+E0041', 1],
    ]),
  );
  expect(unseenCharacters('plain 👩‍💻 text\n')).toEqual(new Map());
});
