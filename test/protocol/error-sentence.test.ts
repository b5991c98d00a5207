import { expect, test } from 'vitest';
import * as z from 'zod';
import { errorSentence } from '../../src/protocol/error-sentence.js';

const refusal = (schema: z.ZodType, value: unknown) => errorSentence(schema.safeParse(value).error);

test('an error says its message, and what is none says itself', () => {
  expect(errorSentence(new TypeError('It is gone.'))).toBe('It is gone.');
  expect(errorSentence('gone')).toBe('gone');
});

test('what has another form than expected is said in words and not in JSON', () => {
  expect(refusal(z.object({}), null)).toBe(
    'Something has another form than expected: Invalid input: expected object, received null',
  );
  expect(refusal(z.object({ a: z.array(z.string()) }), { a: ['x', 1] })).toBe(
    'Something has another form than expected: a.1: Invalid input: expected string, received number',
  );
  expect(refusal(z.array(z.string()), [1, 2, 3, 4, 5])).not.toContain('3:');
});
