import {
  type Expression,
  ExpressionError,
  type ExpressionScope,
  evaluate,
  readExpression,
} from './expression.js';

/** A text with expressions in it, and where in the text each begins. */
export type Template = readonly (string | { readonly expression: Expression; readonly at: number })[];

/** Reads a text in which `${{ … }}` stands for what the expression comes to. */
export function readTemplate(source: string): Template {
  const parts: (string | { readonly expression: Expression; readonly at: number })[] = [];
  let rest = 0;
  for (;;) {
    const opened = source.indexOf('${{', rest);
    if (opened === -1) return [...parts, source.slice(rest)];
    const at = opened + 3;
    const closed = source.indexOf('}}', at);
    if (closed === -1) throw new ExpressionError('"${{" is not closed by "}}"', opened);
    parts.push(source.slice(rest, opened));
    parts.push({ expression: expressionAt(source.slice(at, closed), at), at });
    rest = closed + 2;
  }
}

/** The text with everything filled in. */
export function fillTemplate(template: Template, scope: ExpressionScope): string {
  return template
    .map((part) => (typeof part === 'string' ? part : evaluate(part.expression, scope)))
    .join('');
}

function expressionAt(source: string, at: number): Expression {
  try {
    return readExpression(source);
  } catch (error) {
    throw error instanceof ExpressionError ? new ExpressionError(error.message, at + error.at) : error;
  }
}
