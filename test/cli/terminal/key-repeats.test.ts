import { expect, test } from 'vitest';
import type { Key } from '../../../src/cli/terminal/key.js';
import { KeyRepeats } from '../../../src/cli/terminal/key-repeats.js';

const y: Key = { kind: 'text', text: 'y' };
const j: Key = { kind: 'text', text: 'j' };
const enter: Key = { kind: 'enter' };
const down: Key = { kind: 'down' };

test.each<[string, readonly (readonly [Key, number])[], readonly boolean[]]>([
  [
    'a key that is held',
    [
      [y, 0],
      [y, 660],
      [y, 693],
      [y, 726],
    ],
    [false, true, true, true],
  ],
  [
    'the same key with another case',
    [
      [y, 0],
      [{ kind: 'text', text: 'Y' }, 100],
    ],
    [false, true],
  ],
  [
    'a key that is pressed again',
    [
      [y, 0],
      [y, 1000],
    ],
    [false, false],
  ],
  [
    'another key',
    [
      [y, 0],
      [enter, 30],
      [y, 60],
    ],
    [false, false, false],
  ],
  [
    'Enter that is held',
    [
      [enter, 0],
      [enter, 300],
      [enter, 900],
    ],
    [false, true, true],
  ],
  [
    'moving about',
    [
      [down, 0],
      [down, 30],
      [j, 60],
      [j, 90],
    ],
    [false, false, false, false],
  ],
])('%s', (_name, keys, expected) => {
  const repeats = new KeyRepeats();
  expect(keys.map(([key, at]) => repeats.isRepeat(key, at))).toEqual(expected);
});
