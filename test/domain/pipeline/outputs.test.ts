import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOutputs } from '../../../src/domain/pipeline/outputs.js';
import { stagesOf } from '../../../src/domain/pipeline/stages.js';

test.each([
  ['a=1\nb=x=y\n', { a: '1', b: 'x=y' }],
  ['a=1\r\na=2', { a: '2' }],
  ['a<<END\none\nb=two\nEND\nc=3', { a: 'one\nb=two', c: '3' }],
  ['a<<END\nnever closed', {}, /^line 1 of .* \(and 1 more\) is neither .*: a<<END$/],
  [
    'a=1\n\nno output\n=x\n1a=x\na b=x\u001b[31m',
    { a: '1' },
    /^line 3 of .* \(and 3 more\) is neither .*: no output$/,
  ],
  ['a<<\nb=2', { b: '2' }, /^line 1 of/],
  ['__proto__=x\nconstructor=y', { constructor: 'y' }],
  ['a=\u001b[31mred\u001b[0m\u202e!', { a: 'red!' }],
] as const)('%j gives %j', (text, outputs, lost?: RegExp) => {
  expect(readOutputs(text)).toEqual({ outputs, ...(lost && { lost: expect.stringMatching(lost) }) });
});

test('marks that never come are not looked for again and again', () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `a<<${at}`).join('\n');
  expect(readOutputs(text)).toEqual({
    outputs: {},
    lost: expect.stringMatching(/\(and 59999 more\) .*: a<<0$/),
  });
});

test('what is beyond the most names is told', () => {
  const text = Array.from({ length: 60 }, (_, at) => `a${at}=x`).join('\n');
  expect(readOutputs(text).lost).toBe('it has 60 outputs, of which the first 50 are kept');
});

test('whatever a phase writes, what is kept of it is bounded and plain', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a=', 'b<<E\n', '\nE\n', '\0', '\u202e'), fc.string())),
      (parts) => {
        const { outputs } = readOutputs(parts.flat().join(''));
        for (const value of Object.values(outputs))
          for (const hidden of ['\0', '\u202e', '\u001b']) expect(value).not.toContain(hidden);
      },
    ),
  );
  const { outputs: large } = readOutputs(
    Array.from({ length: 100 }, (_, n) => `n${n}=${'x'.repeat(9000)}`).join('\n'),
  );
  expect(Object.keys(large).length).toBe(50);
  expect(Object.values(large).join('').length).toBe(32_000);
});

const phase = (key: string, ...needs: string[]) => ({ key, phase: key, needs });

test('a stage holds what waits for nothing but earlier stages', () => {
  const stages = stagesOf([phase('a'), phase('b', 'a'), phase('c'), phase('d', 'b', 'c'), phase('e', 'a')]);
  expect(stages.map((stage) => stage.map(({ key }) => key))).toEqual([['a', 'c'], ['b', 'e'], ['d']]);
});
