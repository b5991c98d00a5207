import { expect, test } from 'vitest';
import { Failure as Built } from '../../dist/protocol/failure.js';
import { ExitCode } from '../../src/protocol/exit-code.js';
import { exitCodeOf, Failure } from '../../src/protocol/failure.js';

class Special extends Failure {}

test.each<[string, unknown, boolean, boolean]>([
  ['one of ours', new Failure('usage', 'No.'), true, false],
  ['a special one', new Special('usage', 'No.'), true, true],
  ['one of another copy of the program', new Built('usage', 'No.'), true, false],
  ['another error', new Error('No.'), false, false],
  ['an object that only looks like one', { name: 'Failure', code: 'usage', message: 'No.' }, false, false],
  ['nothing', null, false, false],
])('%s', (_, thrown, isFailure, isSpecial) => {
  expect([thrown instanceof Failure, thrown instanceof Special]).toEqual([isFailure, isSpecial]);
  expect(exitCodeOf(thrown)).toBe(isFailure ? ExitCode.usage : ExitCode.software);
});
