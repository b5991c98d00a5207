import { expect, it } from 'vitest';
import { changedInput, ranWords } from '../../../src/domain/words/changed-input.js';

type Input = Record<string, unknown>;

it.each<[Input, Input, string]>([
  [{ command: 'npm test' }, { command: 'npm test -- --bail' }, 'npm test -- --bail (proposed: npm test)'],
  [{ command: 'npm test', timeout: 5 }, { timeout: 9, command: 'npm test' }, 'timeout: 9 (proposed: 5)'],
  [
    { command: 'a', timeout: 5 },
    { command: 'b', background: true },
    'command: b (proposed: a), background: true (not proposed), timeout: (left out) (proposed: 5)',
  ],
  [{ command: 'ls' }, { command: 'ls\nrm -r .' }, '"ls\\nrm -r ." (proposed: ls)'],
  [{ edits: [{ a: 1, b: 2 }] }, { edits: [{ b: 2, a: 1 }] }, ''],
  [{ command: 'x' }, { command: 'y'.repeat(205) }, `${'y'.repeat(200)}… (5 more characters) (proposed: x)`],
])('%j became %j', (proposed, changed, words) => {
  expect(changedInput(proposed, changed)).toBe(words);
});

it.each<[string, Input, Input, string]>([
  ['Bash', { command: 'npm test' }, { command: 'npm run lint' }, 'Run npm run lint (proposed: npm test)'],
  [
    'Edit',
    { file_path: 'a.ts', new_string: 'x' },
    { file_path: 'a.ts', new_string: 'y' },
    'Edit a.ts, with changes: new_string: y (proposed: x)',
  ],
  ['Bash', { command: 'ls' }, { command: 'l\u202Es' }, 'Run ls (proposed: ls)'],
])('%s that was proposed with %j and ran with %j', (tool, proposed, ran, words) => {
  expect(ranWords(tool, { proposed, ran })).toBe(words);
});
