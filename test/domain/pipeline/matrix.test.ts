import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { laterInstances } from '../../../src/domain/pipeline/matrix.js';

const axes = [
  {
    name: 'n',
    values: {
      expression: { kind: 'value', path: ['needs', 'a', 'outputs', 'all'], at: 0 },
      where: 'p.yaml, line 3, column 5',
    },
  },
] as const;

const told = (text: string, most = 100) =>
  laterInstances(
    { id: 'm', title: 'm' },
    { matrix: { kind: 'axes', axes }, reads: [], most },
    { value: () => text, success: true, failure: false },
  );
const toldWhole = (
  text: string,
  { most = 100, reads = [] }: { most?: number; reads?: readonly string[] } = {},
) =>
  laterInstances(
    { id: 'm', title: 'm' },
    { matrix: { kind: 'whole', told: axes[0].values }, reads, most },
    { value: () => text, success: true, failure: false },
  );

test('a list becomes an instance for each value', () => {
  expect(told('["unit", 22, true]')).toEqual([
    { key: 'm[0]', title: 'm (unit)', matrix: { n: 'unit' } },
    { key: 'm[1]', title: 'm (22)', matrix: { n: '22' } },
    { key: 'm[2]', title: 'm (true)', matrix: { n: 'true' } },
  ]);
});

test.each([
  ['nothing', '', 'There is no list: nothing was given for it.'],
  ['no JSON', 'unit, browser', 'The text is not JSON.'],
  ['no list', '{"a":1}', 'The JSON is not a list'],
  ['a list in a list', '["a",["b"]]', 'Value 2 of the list is not a text, a number, true or false.'],
  ['null', '[null]', 'Value 1 of the list is not a text'],
  ['a long value', JSON.stringify(['x'.repeat(501)]), 'Value 1 of the list is longer than 500 characters.'],
  [
    'a hidden character',
    '["a\\u202eb"]',
    'Value 1 of the list holds hidden characters, a tab or a line break.',
  ],
  ['a NUL', '["a\\u0000"]', 'holds hidden characters'],
  ['a line break', '["a\\nb"]', 'holds hidden characters, a tab or a line break'],
  [
    'too many',
    JSON.stringify(Array.from({ length: 101 }, (_, n) => n)),
    'The matrix comes to 101 combinations; 100 are the most here.',
  ],
])('%s is told with its place in the file', (_name, text, sentence) => {
  const [instance, ...others] = told(text);
  expect(others).toEqual([]);
  expect(instance).toMatchObject({ key: 'm', unfit: { isEmpty: false } });
  expect(instance?.unfit?.why).toMatch(/^p\.yaml, line 3, column 5: /);
  expect(instance?.unfit?.why).toContain(sentence);
});

test('a whole matrix is names with lists, or combinations as they are', () => {
  expect(toldWhole('{"os":["linux","mac"],"node":[20,22]}', { reads: ['os'] })).toEqual([
    { key: 'm[0]', title: 'm (linux, 20)', matrix: { os: 'linux', node: '20' } },
    { key: 'm[1]', title: 'm (linux, 22)', matrix: { os: 'linux', node: '22' } },
    { key: 'm[2]', title: 'm (mac, 20)', matrix: { os: 'mac', node: '20' } },
    { key: 'm[3]', title: 'm (mac, 22)', matrix: { os: 'mac', node: '22' } },
  ]);
  expect(toldWhole('{"include":[{"os":"linux","node":22},{"os":"mac"}]}', { reads: ['os'] })).toEqual([
    { key: 'm[0]', title: 'm (linux, 22)', matrix: { os: 'linux', node: '22' } },
    { key: 'm[1]', title: 'm (mac)', matrix: { os: 'mac' } },
  ]);
});

test.each(['{"os":[]}', '{"os":["linux"],"node":[]}', '{"include":[]}'])(
  'nothing to do is not a mistake: %s',
  (text) => {
    expect(toldWhole(text, { reads: ['os'] })).toEqual([
      { key: 'm', title: 'm', matrix: {}, unfit: { why: 'its matrix has no values', isEmpty: true } },
    ]);
  },
);

const grid = (names: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: names }, (_, n) => [`n${n}`, [1, 2]])));

test.each([
  ['nothing', ' ', 'There is no matrix: nothing was given for it.'],
  ['no JSON', 'os: linux', 'The text is not JSON. It must be a matrix such as'],
  ['a list', '["linux"]', 'The JSON is not a matrix such as {"suite":["unit","browser"]}.'],
  ['null', 'null', 'The JSON is not a matrix'],
  ['no names', '{}', 'There are no names in it'],
  ['a value that is no list', '{"os":"linux"}', 'os is not a list of values.'],
  ['an object as a value', '{"os":[{"a":1}]}', 'Value 1 of os is not a text, a number, true or false.'],
  ['a hidden character', '{"os":["a\\u200bb"]}', 'Value 1 of os holds hidden characters'],
  ['a long value', JSON.stringify({ os: ['x'.repeat(501)] }), 'Value 1 of os is longer than 500 characters.'],
  ['a name of hidden characters', '{"o\\u202es":["a"]}', 'Name 1 is not of letters'],
  ['a name that is too long', JSON.stringify({ ['x'.repeat(65)]: [1] }), 'Name 1 is not of letters'],
  ['too many names', grid(21), 'There are 21 names in it; 20 are the most.'],
  ['too many combinations', grid(7), 'The matrix comes to 128 combinations; 100 are the most here.'],
  ['two names of one variable', '{"a-b":[1],"A_B":[2]}', 'Two names become the same variable, MATRIX_A_B.'],
  ['exclude', '{"os":["a"],"exclude":[]}', 'exclude is not known here'],
  ['lists and include', '{"os":["a"],"include":[]}', 'give one of them'],
  ['an include that is no list', '{"include":{}}', 'include is not a list'],
  ['a combination that is none', '{"include":[{"os":"a"},7]}', 'Combination 2 of include is not an object'],
  [
    'a bad value of a combination',
    '{"include":[{"os":["a"]}]}',
    'Combination 1 of include: os is not a text',
  ],
  ['a name that is missing', '{"node":[20]}', 'The matrix has no "os", which this phase reads.'],
  ['a name of Object', '{"__proto__":["a"]}', 'The matrix has no "os"'],
  [
    'a name that one combination lacks',
    '{"include":[{"os":"a"},{"node":1}]}',
    'Combination 2 of include has no "os", which this phase reads.',
  ],
])('a whole matrix: %s is told with its place in the file', (_name, text, sentence) => {
  const [instance, ...others] = toldWhole(text, { reads: ['os'] });
  expect(others).toEqual([]);
  expect(instance).toMatchObject({ key: 'm', unfit: { isEmpty: false } });
  expect(instance?.unfit?.why).toMatch(/^p\.yaml, line 3, column 5: /);
  expect(instance?.unfit?.why).toContain(sentence);
});

test('whatever a phase says for a whole matrix, it is never more than may be, and nothing hidden', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.json());
  const name = fc.oneof(fc.constantFrom('a', 'b', 'include', 'exclude', '__proto__'), fc.string());
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.dictionary(name, fc.array(value)).map((each) => JSON.stringify(each)),
        fc.array(fc.dictionary(name, value)).map((include) => JSON.stringify({ include })),
      ),
      (text) => {
        const instances = toldWhole(text, { most: 5 });
        expect(instances.length).toBeGreaterThan(0);
        expect(instances.length).toBeLessThanOrEqual(5);
        for (const { matrix, unfit } of instances)
          expect([...Object.entries(matrix).flat(), unfit?.why ?? ''].join('')).not.toMatch(
            /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
          );
      },
    ),
  );
});

test('whatever a phase says, it is never more than may be, and nothing hidden', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(fc.string({ unit: 'binary' })).map((list) => JSON.stringify(list)),
      ),
      (text) => {
        const instances = told(text, 5);
        expect(instances.length).toBeGreaterThan(0);
        expect(instances.length).toBeLessThanOrEqual(5);
        for (const { matrix } of instances)
          expect(matrix['n'] ?? '').not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      },
    ),
    { examples: [['["\\t"]']] },
  );
});
