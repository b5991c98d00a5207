import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asksForStatus,
  ExpressionError,
  evaluate,
  readExpression,
} from '../../../src/domain/pipeline/expression.js';
import { fillTemplate, readTemplate } from '../../../src/domain/pipeline/template.js';

const scope = {
  value: (path: readonly string[]) =>
    ({ 'needs.a.outputs.kind': 'web', 'inputs.none': '' })[path.join('.')] ?? '',
  success: true,
  failure: false,
};

test.each([
  ["needs.a.outputs.kind == 'web'", 'true'],
  ["needs.a.outputs.kind != 'web'", 'false'],
  ["!(needs.a.outputs.kind == 'web') || success()", 'true'],
  ["failure() && 'x'", 'false'],
  ["inputs.none || 'usual'", 'usual'],
  ["contains(needs.a.outputs.kind, 'e') && startsWith('abc', 'ab') && endsWith('abc', 'bc')", 'true'],
  ["'it''s'", "it's"],
  ['always()', 'true'],
  ["20 == '20'", 'true'],
  ['true', 'true'],
])('%s is %s', (source, wanted) => {
  expect(evaluate(readExpression(source), scope)).toBe(wanted);
});

test.each([
  ['', 0, 'expected a value, but found the end'],
  ["a == 'b' c", 9, 'expected an operator, but found "c"'],
  ['(a', 2, 'expected ")", but found the end'],
  ['a == $x', 5, '"$" cannot be read here'],
  ["'open", 0, `"'" cannot be read here`],
  ['run()', 0, 'there is no function run'],
  ['success(a)', 0, 'success takes nothing, not 1'],
  [`${'('.repeat(60)}a`, 50, 'it is nested too deeply'],
])('%s is refused at %i', (source, at, message) => {
  expect(() => readExpression(source)).toThrow(message);
  try {
    readExpression(source);
  } catch (error) {
    expect(error instanceof ExpressionError && error.at).toBe(at);
  }
});

test('a condition that asks for the status decides itself about failures', () => {
  expect(asksForStatus(readExpression("needs.a.outputs.kind == 'web'"))).toBe(false);
  expect(asksForStatus(readExpression("needs.a.outputs.kind == 'web' && !failure()"))).toBe(true);
});

describe('templates', () => {
  test('are filled in, and what is filled in is never read again', () => {
    const hostile = { ...scope, value: () => '${{ inputs.secret }}' };
    expect(fillTemplate(readTemplate('a ${{ needs.a.outputs.kind }} b'), scope)).toBe('a web b');
    expect(fillTemplate(readTemplate('a ${{ needs.a.outputs.kind }} b'), hostile)).toBe(
      'a ${{ inputs.secret }} b',
    );
    expect(() => readTemplate('a ${{ b')).toThrow('is not closed');
  });

  test('text without expressions stays as it is; anything at all is read or refused with a place inside of it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!text.includes('${{')) expect(fillTemplate(readTemplate(text), scope)).toBe(text);
        try {
          readExpression(text);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          expect(error.at).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
