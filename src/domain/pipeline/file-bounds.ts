import { Lexer, Parser } from 'yaml';

/** What a person writes stays far below: 256 phases with ten keys each are about 20,000 tokens. */
const mostTokens = 50_000;
const deepest = 100;
/** Keys of one map are compared with each other, so twice as many take four times as long. */
const mostSiblings = 1000;

/** What is too much in a file, and where. */
export interface Excess {
  readonly sentence: string;
  readonly offset: number;
}

/**
 * Files come with repositories, and reading them into a document calls itself once per level. So what would keep the worker busy for
 * seconds, or end with its stack, is refused by its tokens alone.
 */
export function excessOf(source: string): Excess | null {
  const parser = new Parser();
  let tokens = 0;
  for (const token of new Lexer().lex(source)) {
    // It has to be asked for what it found, or it does not go on.
    Array.from(parser.next(token));
    tokens += 1;
    const sentence = tooMuch(tokens, parser.stack);
    if (sentence !== null) return { sentence, offset: Math.max(0, parser.offset - token.length) };
  }
  return null;
}

function tooMuch(tokens: number, stack: Parser['stack']): string | null {
  if (tokens > mostTokens) return 'The file has too many parts. A pipeline is a few phases.';
  if (stack.length > deepest)
    return 'This is nested too deeply. No part of a pipeline needs more than a few levels.';
  const top = stack.at(-1);
  if (top && 'items' in top && top.items.length > mostSiblings)
    return `This has more than ${mostSiblings} entries. A pipeline is a few phases.`;
  return null;
}
