import { expect, test } from 'vitest';
import { type Inside, languageOf, tokensOf } from '../../../src/web/review/highlight.js';

/** The coloured parts of lines, as `kind:text`. */
function coloured(path: string, lines: readonly string[]): string[][] {
  const language = languageOf(path);
  if (!language) throw new Error(`no language for ${path}`);
  let inside: Inside = null;
  return lines.map((line) => {
    const { tokens, after } = tokensOf(line, language, inside);
    inside = after;
    return tokens.map(({ from, to, kind }) => `${kind}:${line.slice(from, to)}`);
  });
}

test.each<[string, string, string[]]>([
  [
    'a.ts',
    "const a = f('x', 12); // why",
    ['keyword:const', 'call:f', "string:'x'", 'number:12', 'comment:// why'],
  ],
  ['a.ts', 'return a.of("\\"(");', ['keyword:return', 'keyword:of', 'string:"\\"("']],
  ['a.py', 'def f(x): # why', ['keyword:def', 'call:f', 'comment:# why']],
  ['run.sh', 'echo $# "a # b"', ['string:"a # b"']],
  ['a.json', '{"a": true, "b": 1.5}', ['string:"a"', 'keyword:true', 'string:"b"', 'number:1.5']],
  ['a.sql', 'SELECT 1 -- one', ['keyword:SELECT', 'number:1', 'comment:-- one']],
  ['Dockerfile', "RUN echo 'hi' # x", ["string:'hi'", 'comment:# x']],
  ['a.html', '<!-- no --> x', ['comment:<!--', 'comment: no -->']],
])('%s: %s', (path, line, expected) => {
  expect(coloured(path, [line])).toEqual([expected]);
});

test('a comment goes on over lines', () => {
  expect(coloured('a.ts', ['a /* one', 'two', 'three */ if', 'b'])).toEqual([
    ['comment:/*', 'comment: one'],
    ['comment:two'],
    ['comment:three */', 'keyword:if'],
    [],
  ]);
});

test.each(['README.md', 'LICENSE', 'a.unknown', 'constructor'])('%s has no colours', (path) => {
  expect(languageOf(path)).toBeUndefined();
});
