import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../../src/runtimes/command-words.js';
import { invocationOf } from '../../../src/runtimes/exec/command.js';
import type { Launch } from '../../../src/runtimes/runtime.js';

describe('a command line', () => {
  test.each([
    ['agent', ['agent']],
    ['  agent\t--yes \n x ', ['agent', '--yes', 'x']],
    [`agent 'a b' "c d" e\\ f`, ['agent', 'a b', 'c d', 'e f']],
    [`agent '' ""`, ['agent', '', '']],
    [`--x="a b"'c'd`, ['--x=a bcd']],
    [`"a \\"b\\" \\\\ \\n"`, ['a "b" \\ \\n']],
    [`'it'\\''s'`, ["it's"]],
    ['$HOME `x` * ; | > ~', ['$HOME', '`x`', '*', ';', '|', '>', '~']],
  ])('%s', (command, words) => {
    expect(wordsOf(command)).toEqual(words);
  });

  test.each(['', '  ', '"open', "it's", 'end\\'])('%j is refused', (command) => {
    expect(() => wordsOf(command)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  test('is split as a shell splits it', () => {
    // Without what a shell does besides splitting, and without the newline, which it drops after a backslash.
    const plain = fc.stringMatching(/^[a-z '"\\]{0,12}$/);
    fc.assert(
      fc.property(plain, (text) => {
        const command = `agent ${text}`;
        let words: string[];
        try {
          words = wordsOf(command);
        } catch {
          return;
        }
        const printed = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
        expect(printed).toBe(words.map((word) => `${word}\n`).join(''));
      }),
      { numRuns: 60 },
    );
  });
});

test('a prompt is put where it belongs and is nothing but text there', () => {
  const launch = { command: 'agent --m={model} "a {prompt} b" {prompt}', model: 'big' } as Launch;
  expect(invocationOf(launch, '$& {model} "x"')).toEqual({
    file: 'agent',
    args: ['--m=big', 'a $& {model} "x" b', '$& {model} "x"'],
    stdin: null,
  });
});
