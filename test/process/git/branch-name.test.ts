import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchWords, isBranchName } from '../../../src/process/git/branch-name.js';

test('git agrees with us on what a branch name is', { tags: ['full'] }, () => {
  const pieces = fc.constantFrom(
    'a',
    'Z',
    '/',
    '.',
    '-',
    '@',
    '{',
    '~',
    ' ',
    ':',
    '..',
    '.lock',
    'é',
    '\\',
    '\u007f',
    '*',
  );
  const names = fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(names, (name) => {
      const { status } = spawnSync('git', ['check-ref-format', `refs/heads/${name}`]);
      expect([name, isBranchName(name)]).toEqual([
        name,
        status === 0 && !name.startsWith('-') && name !== '@',
      ]);
    }),
    { numRuns: 300 },
  );
});

test('words of any script become a short branch name or none', () => {
  expect(branchWords('Fix the Café login: "500" again!', 50)).toBe('fix-the-cafe-login-500-again');
  expect(branchWords('one two three', 8)).toBe('one-two');
  expect(branchWords('日本語', 50)).toBe('');
});
