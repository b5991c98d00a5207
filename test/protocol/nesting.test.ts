import { expect, test } from 'vitest';
import { isNestedDeeper, isShallow } from '../../src/protocol/nesting.js';

const arrays = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

// CWE-674: uncontrolled recursion.
test.each<[string, string, boolean]>([
  ['lists as deep as may be', arrays(20), false],
  ['lists one deeper', arrays(21), true],
  ['objects as deep as may be', objects(20), false],
  ['objects one deeper', objects(21), true],
  ['many beside each other', `[${Array.from({ length: 100 }, () => '[[]]').join(',')}]`, false],
  ['brackets in a text', JSON.stringify([arrays(100), `\\"${'['.repeat(100)}`]), false],
  ['brackets after a text with quotes', `["\\"\\\\",${arrays(21)}]`, true],
])('%s', (_name, json, isDeeper) => expect(isNestedDeeper(json, 20)).toBe(isDeeper));

test('a value of any depth is looked at without recursion', () => {
  expect([500, 502, 200_000].map((levels) => isShallow(JSON.parse(arrays(levels))))).toEqual([
    true,
    false,
    false,
  ]);
});
