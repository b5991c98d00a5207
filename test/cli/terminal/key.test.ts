import { expect, it } from 'vitest';
import { KeyDecoder } from '../../../src/cli/terminal/key.js';

const keysOf = (...chunks: string[]) => {
  const decoder = new KeyDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
};

it.each([
  ['letters', ['aé👩🏽'], [text('a'), text('é'), text('👩'), text('🏽')]],
  ['arrows of both kinds', ['\u001B[A\u001BOB'], [{ kind: 'up' }, { kind: 'down' }]],
  ['a sequence in two pieces', ['\u001B[', 'Z'], [{ kind: 'back_tab' }]],
  ['a lone escape', ['\u001B'], [{ kind: 'escape' }]],
  ['an escape before a letter', ['\u001Bx'], [{ kind: 'escape' }, text('x')]],
  ['an unknown sequence', ['\u001B[97;5ux'], [text('x')]],
  ['controls', ['\r\u0003\u007F\u0000'], [{ kind: 'enter' }, { kind: 'interrupt' }, { kind: 'backspace' }]],
  [
    'a paste in pieces',
    ['\u001B[200~one\r', 'two\u0003', '\u001B[201~x'],
    [{ kind: 'paste', text: 'one\ntwo\u0003' }, text('x')],
  ],
  [
    'a paste whose end is in pieces, and another one',
    ['\u001B[200~a\u001B[20', '1', '~\u001B[200~b\u001B[201~'],
    [
      { kind: 'paste', text: 'a' },
      { kind: 'paste', text: 'b' },
    ],
  ],
])('reads %s', (_what, chunks, keys) => {
  expect(keysOf(...chunks)).toEqual(keys);
});

function text(character: string) {
  return { kind: 'text', text: character };
}
