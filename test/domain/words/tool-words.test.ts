import { expect, test } from 'vitest';
import { toolWords } from '../../../src/domain/words/tool-words.js';

test.each<[string, Record<string, unknown>, string]>([
  ['Grep', { pattern: 'Math.round|toFixed', path: '/w/src' }, 'Search Math.round|toFixed in src'],
  ['Grep', { pattern: 'one' }, 'Search one'],
  ['Glob', { pattern: '**/*.ts', path: '/w' }, 'Search **/*.ts'],
  ['Grep', { path: '/w/src' }, 'Search src'],
  ['Read', { file_path: '/w/a.txt' }, 'Read a.txt'],
  ['Bash', { command: 'npm test' }, 'Run npm test'],
])('%s of %j is called %j', (tool, params, words) => {
  expect(toolWords(tool, params, '/w')).toBe(words);
});

test('neither a pattern nor a place can be longer than a line', () => {
  const long = 'x'.repeat(2_000_000);
  expect(toolWords('Grep', { pattern: long, path: long }).length).toBeLessThan(1100);
});
