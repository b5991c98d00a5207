/** A part of a `when` or of `${{ … }}`. */
export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly at: number }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly arguments: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | {
      readonly kind: 'both' | 'either' | 'same' | 'other';
      readonly left: Expression;
      readonly right: Expression;
    };

/** How many arguments each function takes. */
const functions = {
  success: 0,
  failure: 0,
  always: 0,
  contains: 2,
  startsWith: 2,
  endsWith: 2,
} as const;
type FunctionName = keyof typeof functions;

/** What an expression is read from. */
export interface ExpressionScope {
  /** The text behind a path such as `needs.design.outputs.plan`. */
  readonly value: (path: readonly string[]) => string;
  /** Whether everything that the phase needs has succeeded. */
  readonly success: boolean;
  /** Whether something that the phase needs, however far before it, has failed. */
  readonly failure: boolean;
}

/** Thrown where an expression cannot be read; `at` is the place in its text. */
export class ExpressionError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const token =
  /\s*(?:(?<operator>==|!=|&&|\|\||[!(),])|'(?<text>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?)|(?<word>[A-Za-z_][\w.-]*))/uy;
const deepest = 50;

interface Token {
  readonly kind: 'operator' | 'text' | 'word' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Reads an expression: values, 'text', comparisons, `!`, `&&`, `||`, brackets and a few functions. */
export function readExpression(source: string): Expression {
  const tokens = tokensOf(source);
  let place = 0;
  let depth = 0;
  const next = (): Token => tokens[place] ?? { kind: 'end', text: '', at: source.length };
  const takes = (operator: string): boolean => {
    const isIt = next().kind === 'operator' && next().text === operator;
    if (isIt) place += 1;
    return isIt;
  };
  const expected = (what: string): ExpressionError => {
    const { kind, text, at } = next();
    return new ExpressionError(`expected ${what}, but found ${kind === 'end' ? 'the end' : `"${text}"`}`, at);
  };
  const expect = (operator: string): void => {
    if (!takes(operator)) throw expected(`"${operator}"`);
  };

  const either = (): Expression => {
    let left = both();
    while (takes('||')) left = { kind: 'either', left, right: both() };
    return left;
  };
  const both = (): Expression => {
    let left = comparison();
    while (takes('&&')) left = { kind: 'both', left, right: comparison() };
    return left;
  };
  const comparison = (): Expression => {
    const left = single();
    if (takes('==')) return { kind: 'same', left, right: single() };
    if (takes('!=')) return { kind: 'other', left, right: single() };
    return left;
  };
  const single = (): Expression => {
    depth += 1;
    if (depth > deepest) throw new ExpressionError('it is nested too deeply', next().at);
    try {
      if (takes('!')) return { kind: 'not', of: single() };
      if (takes('(')) {
        const inner = either();
        expect(')');
        return inner;
      }
      const { kind, text, at } = next();
      if (kind !== 'text' && kind !== 'word') throw expected('a value');
      place += 1;
      if (kind === 'text') return { kind: 'text', text };
      return takes('(') ? call(text, at) : valueOf(text, at);
    } finally {
      depth -= 1;
    }
  };
  const call = (name: string, at: number): Expression => {
    if (!isFunction(name))
      throw new ExpressionError(
        `there is no function ${name}; there are: ${Object.keys(functions).join(', ')}`,
        at,
      );
    const given: Expression[] = [];
    if (!takes(')')) {
      do given.push(either());
      while (takes(','));
      expect(')');
    }
    const wanted = functions[name];
    if (given.length !== wanted)
      throw new ExpressionError(
        `${name} takes ${wanted === 0 ? 'nothing' : `${wanted} values`}, not ${given.length}`,
        at,
      );
    return { kind: 'call', name, arguments: given };
  };

  const whole = either();
  if (next().kind !== 'end') throw expected('an operator');
  return whole;
}

/** Every value that an expression reads. */
export function valuesIn(expression: Expression): Extract<Expression, { kind: 'value' }>[] {
  switch (expression.kind) {
    case 'text':
      return [];
    case 'value':
      return [expression];
    case 'call':
      return expression.arguments.flatMap(valuesIn);
    case 'not':
      return valuesIn(expression.of);
    default:
      return [...valuesIn(expression.left), ...valuesIn(expression.right)];
  }
}

/** Whether an expression decides itself what becomes of phases that failed. */
export function asksForStatus(expression: Expression): boolean {
  switch (expression.kind) {
    case 'text':
    case 'value':
      return false;
    case 'call':
      return functions[expression.name] === 0 || expression.arguments.some(asksForStatus);
    case 'not':
      return asksForStatus(expression.of);
    default:
      return asksForStatus(expression.left) || asksForStatus(expression.right);
  }
}

/** What an expression comes to, as text; what is true is `true`. */
export function evaluate(expression: Expression, scope: ExpressionScope): string {
  switch (expression.kind) {
    case 'text':
      return expression.text;
    case 'value':
      return scope.value(expression.path);
    case 'not':
      return String(!isTrue(evaluate(expression.of, scope)));
    case 'both': {
      const left = evaluate(expression.left, scope);
      return isTrue(left) ? evaluate(expression.right, scope) : left;
    }
    case 'either': {
      const left = evaluate(expression.left, scope);
      return isTrue(left) ? left : evaluate(expression.right, scope);
    }
    case 'same':
      return String(evaluate(expression.left, scope) === evaluate(expression.right, scope));
    case 'other':
      return String(evaluate(expression.left, scope) !== evaluate(expression.right, scope));
    case 'call': {
      const [first = '', second = ''] = expression.arguments.map((each) => evaluate(each, scope));
      return String(called(expression.name, { first, second }, scope));
    }
    default:
      return expression satisfies never;
  }
}

/** Everything is text here: nothing and `false` are false. */
export function isTrue(text: string): boolean {
  return text !== '' && text !== 'false';
}

function called(
  name: FunctionName,
  { first, second }: { readonly first: string; readonly second: string },
  { success, failure }: ExpressionScope,
): boolean {
  switch (name) {
    case 'success':
      return success;
    case 'failure':
      return failure;
    case 'always':
      return true;
    case 'contains':
      return first.includes(second);
    case 'startsWith':
      return first.startsWith(second);
    case 'endsWith':
      return first.endsWith(second);
    default:
      return name satisfies never;
  }
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  token.lastIndex = 0;
  for (let at = 0; at < end; ) {
    token.lastIndex = at;
    const match = token.exec(source);
    const start = at + (/^\s*/u.exec(source.slice(at))?.[0].length ?? 0);
    if (!match?.groups) throw new ExpressionError(`"${source.charAt(start)}" cannot be read here`, start);
    at = token.lastIndex;
    const { operator, text, number, word } = match.groups;
    if (operator !== undefined) tokens.push({ kind: 'operator', text: operator, at: start });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at: start });
    else tokens.push({ kind: 'text', text: number ?? (text ?? '').replaceAll("''", "'"), at: start });
  }
  return tokens;
}

function valueOf(word: string, at: number): Expression {
  if (word === 'true' || word === 'false') return { kind: 'text', text: word };
  return { kind: 'value', path: word.split('.'), at };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}
