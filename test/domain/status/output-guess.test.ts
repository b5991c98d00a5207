import { expect, test } from 'vitest';
import { OutputGuess } from '../../../src/domain/status/output-guess.js';

type Step = ['wrote', string] | ['typed'] | ['silent'];

const bell = '\u0007';

test.each<[string, boolean, [Step, string | null][]]>([
  [
    'writes: that is told once, until it was silent',
    false,
    [
      [['wrote', 'a'], 'said_busy'],
      [['wrote', 'b'], null],
      [['silent'], 'said_idle'],
      [['silent'], null],
      [['wrote', 'c'], 'said_busy'],
    ],
  ],
  ['never writes anything: it is idle', true, [[['silent'], 'said_idle']]],
  [
    'rings where somebody types: it waits until then, whatever it draws',
    true,
    [
      [['wrote', `x${bell}`], 'said_asking'],
      [['wrote', 'frame'], null],
      [['silent'], null],
      [['typed'], 'said_busy'],
    ],
  ],
  [
    'rings where nobody can type: until it writes again',
    false,
    [
      [['wrote', bell], 'said_asking'],
      [['silent'], null],
      [['wrote', '\n'], null],
      [['wrote', 'on'], 'said_busy'],
    ],
  ],
  ['sets a title, which ends with a bell', false, [[['wrote', `\u001B]0;title${bell}`], 'said_busy']]],
])('a program that %s', (_name, isTypedInto, steps) => {
  const guess = new OutputGuess({ isTypedInto });
  const told = steps.map(([[what, text = '']]) => guess[what](text));
  expect(told).toEqual(steps.map(([, fact]) => fact));
});
