import { expect, it } from 'vitest';
import { isKey, KeyDecoder } from '../../../src/cli/terminal/key.js';
import { emptyField, fieldLine, fieldText, typed } from '../../../src/cli/terminal/text-field.js';

const after = (keys: string) => new KeyDecoder().push(keys).filter(isKey).reduce(typed, emptyField);
const left = '\u001B[D';

it.each([
  ['abc\u007F', 'ab▏'],
  ['né👩🏽\u007F', 'né▏'],
  [`ac${left}b`, 'ab▏c'],
  ['two words\u0017', 'two ▏'],
  ['gone\u0015new', 'new▏'],
  ['ab\u0001>', '>▏ab'],
  ['\u001B[200~a\nb\u001B]0;owned\u0007\u001B[201~', 'a⏎b▏'],
])('%j is shown as %s', (keys, line) => {
  expect(fieldLine(after(keys))).toBe(line);
});

it('never shows a secret, and keeps it', () => {
  const field = after('hush');
  expect([fieldLine(field, { isSecret: true }), fieldText(field)]).toEqual(['••••▏', 'hush']);
});
