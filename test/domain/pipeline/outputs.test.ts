import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOutputs } from '../../../src/domain/pipeline/outputs.js';
import { stagesOf } from '../../../src/domain/pipeline/stages.js';

test.each([
  ['a=1\nb=x=y\n', { a: '1', b: 'x=y' }],
  ['a=1\r\na=2', { a: '2' }],
  ['a<<END\none\nb=two\nEND\nc=3', { a: 'one\nb=two', c: '3' }],
  ['a<<END\nnever closed', {}],
  ['no output\n=x\n1a=x\na b=x', {}],
  ['__proto__=x\nconstructor=y', { constructor: 'y' }],
  ['a=\u001b[31mred\u001b[0m\u202e!', { a: 'red!' }],
])('%j gives %j', (text, wanted) => {
  expect(readOutputs(text)).toEqual(wanted);
});

test('whatever a phase writes, what is kept of it is bounded and plain', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a=', 'b<<E\n', '\nE\n', '\0', '\u202e'), fc.string())),
      (parts) => {
        const outputs = readOutputs(parts.flat().join(''));
        for (const value of Object.values(outputs))
          for (const hidden of ['\0', '\u202e', '\u001b']) expect(value).not.toContain(hidden);
      },
    ),
  );
  const large = readOutputs(Array.from({ length: 100 }, (_, n) => `n${n}=${'x'.repeat(9000)}`).join('\n'));
  expect(Object.keys(large).length).toBe(50);
  expect(Object.values(large).join('').length).toBe(32_000);
});

const phase = (key: string, ...needs: string[]) => ({ key, phase: key, needs });

test('a stage holds what waits for nothing but earlier stages', () => {
  const stages = stagesOf([phase('a'), phase('b', 'a'), phase('c'), phase('d', 'b', 'c'), phase('e', 'a')]);
  expect(stages.map((stage) => stage.map(({ key }) => key))).toEqual([['a', 'c'], ['b', 'e'], ['d']]);
});
