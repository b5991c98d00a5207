import { Command } from 'commander';
import { expect, test } from 'vitest';
import { refuseContradictions } from '../../src/cli/contradictions.js';
import { Failure } from '../../src/protocol/failure.js';

/** What a command takes of this line, or why it does not. */
function taken(...args: string[]): unknown {
  const program = new Command().exitOverride();
  const work = program
    .command('work')
    .option('-b, --budget <amount>')
    .option('--no-budget')
    .option('--container [image]')
    .option('--no-container')
    .option('--no-input')
    .action(() => {});
  refuseContradictions(program);
  try {
    program.parse(['work', ...args], { from: 'user' });
    return work.opts();
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.message];
    throw error;
  }
}

test('an option and its opposite are refused together, in any order and by any name', () => {
  const refused = ['usage', '--budget and --no-budget exclude each other. Use one of them.'];
  expect(taken('--budget', '5', '--no-budget')).toEqual(refused);
  expect(taken('--no-budget', '-b', '5')).toEqual(refused);
  expect(taken('--container', '--no-input', '--no-container')).toEqual([
    'usage',
    '--container and --no-container exclude each other. Use one of them.',
  ]);
});

test('each of them alone is taken, also twice', () => {
  expect(taken('--budget', '5', '--budget', '6', '--no-container', '--no-input')).toEqual({
    budget: '6',
    container: false,
    input: false,
  });
  expect(taken('--no-budget', '--container')).toEqual({ budget: false, container: true, input: true });
});
