import { expect, test } from 'vitest';
import { seenJson } from '../../src/cli/output.js';

test('CWE-150: JSON holds no character that steers a terminal or hides, and is the same value', () => {
  const value = {
    'a\u009b': '\u0080\u009d52;c;x\u009c \u202e\u2066\u200b\ufeff\u2028 \u{e0041} é 🙂 \u001b\n',
  };
  const json = seenJson(value);
  expect(json).toBe(
    String.raw`{"a\u009b":"\u0080\u009d52;c;x\u009c \u202e\u2066\u200b\ufeff\u2028 \udb40\udc41 é 🙂 \u001b\n"}`,
  );
  expect(JSON.parse(json)).toEqual(value);
});
