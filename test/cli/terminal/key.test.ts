import { expect, it } from 'vitest';
import { KeyDecoder } from '../../../src/cli/terminal/key.js';

/** A moment in which nothing comes. */
const pause = 'a moment';

const keysOf = (...chunks: string[]) => {
  const decoder = new KeyDecoder();
  return chunks.flatMap((chunk) => (chunk === pause ? decoder.waited() : decoder.push(chunk)));
};

it.each([
  ['letters', ['aé👩🏽'], [text('a'), text('é'), text('👩'), text('🏽')]],
  ['arrows of both kinds', ['\u001B[A\u001BOB'], [{ kind: 'up' }, { kind: 'down' }]],
  ['a sequence in two pieces', ['\u001B[', 'Z'], [{ kind: 'back_tab' }]],
  ['a sequence in three pieces', ['\u001B', '[', 'A'], [{ kind: 'up' }]],
  ['a lone escape', ['\u001B', pause], [{ kind: 'escape' }]],
  ['an escape that may begin a sequence as nothing yet', ['\u001B'], []],
  ['the late rest of a sequence as one key', ['\u001B', pause, '[A'], [{ kind: 'escape' }, { kind: 'up' }]],
  ['its late rest in pieces', ['\u001B', pause, '[', 'A'], [{ kind: 'escape' }, { kind: 'up' }]],
  ['an escape and what is typed after it', ['\u001B', pause, 'a'], [{ kind: 'escape' }, text('a')]],
  ['two escapes', ['\u001B', '\u001B', pause], [{ kind: 'escape' }, { kind: 'escape' }]],
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
  [
    'a click between keys in its place',
    ['#\u001B[<0;5;9My\u001B[<65;1;1M\u001B[A'],
    [
      text('#'),
      { kind: 'click', column: 5, row: 9 },
      text('y'),
      { kind: 'wheel_down', column: 1, row: 1 },
      { kind: 'up' },
    ],
  ],
  ['nothing in an old report', ['\u001B[M yyx'], [text('x')]],
  ['nothing in an old report in pieces', ['\u001B[M', ' ', 'y', 'yx'], [text('x')]],
  [
    'nothing in old reports whose places make one character',
    ['\u001B[M \u00E9\u001B[M#\u00E9\u001B[M \u00E9', '\u001B[M yy\r'],
    [{ kind: 'enter' }],
  ],
  [
    'an old report up to an escape that comes later',
    ['\u001B[M \u00E9', '\u001B', '[M yy', 'x'],
    [text('x')],
  ],
])('reads %s', (_what, chunks, keys) => {
  expect(keysOf(...chunks)).toEqual(keys);
});

function text(character: string) {
  return { kind: 'text', text: character };
}
