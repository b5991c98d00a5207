/** What a part of a line of code is; the style sheet has a colour for each. */
export type TokenKind = 'keyword' | 'string' | 'comment' | 'number' | 'call';

/** A part of a line that has a colour, from one character to another. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: TokenKind;
}

/** What a line begins inside of: a comment or a text that a line before has opened. */
export type Inside = { readonly kind: TokenKind; readonly until: string } | null;

interface Language {
  readonly keywords: ReadonlySet<string>;
  readonly lineComments: readonly string[];
  /** What opens and what closes it, over lines. */
  readonly blocks: readonly (readonly [open: string, close: string, kind: TokenKind])[];
  /** Quotes of texts that end with their line. */
  readonly quotes: string;
}

// Longer lines are data or were made by a program; nobody reads them by their colours.
const longestLine = 2000;

const slashes = [['/*', '*/', 'comment']] as const;
const words = (text: string) => new Set(text.split(/\s+/));

const script: Language = {
  keywords: words(
    `abstract as async await break case catch class const continue debugger declare default delete do else enum export
    extends false finally for from function get if implements import in instanceof interface is keyof let namespace new
    null of package private protected public readonly return satisfies set static super switch this throw true try type
    typeof undefined using var void while with yield`,
  ),
  lineComments: ['//'],
  blocks: [...slashes, ['`', '`', 'string']],
  quotes: `"'`,
};

const curly: Language = {
  keywords: words(
    `abstract and as async auto await base bool boolean break byte case catch chan char class const constexpr continue
    crate data def default defer delegate delete do double dyn else enum explicit export extends extern false final
    finally float fn for foreach from func fun go goto guard if impl implements import in inline int interface internal
    is lambda let lock long loop match mod module mut namespace new nil nullptr null object operator out override package
    params partial private protected protocol pub public readonly record ref return sealed self short signed sizeof
    static str string struct super switch template this throw throws trait true try type typedef typename union unsafe
    unsigned use using val var virtual void volatile when where while yield`,
  ),
  lineComments: ['//'],
  blocks: slashes,
  quotes: `"'`,
};

const python: Language = {
  keywords: words(
    `and as assert async await break class continue def del elif else except False finally for from global if import in
    is lambda match None nonlocal not or pass raise return self True try while with yield`,
  ),
  lineComments: ['#'],
  blocks: [
    ['"""', '"""', 'string'],
    ["'''", "'''", 'string'],
  ],
  quotes: `"'`,
};

const shell: Language = {
  keywords: words(
    `alias begin break case class continue def do done elif else elsif end esac exit export false fi for function if in
    local module nil null return self set shift source then true unless until when while yes no on off`,
  ),
  lineComments: ['#'],
  blocks: [],
  quotes: `"'`,
};

const sql: Language = {
  keywords: words(
    `add all alter and as asc begin between by case check column commit constraint create default delete desc distinct
    drop else end exists foreign from group having in index inner insert into is join key left like limit not null on or
    order outer primary references returning rollback select set table then transaction union unique update using values
    view when where with`,
  ),
  lineComments: ['--'],
  blocks: slashes,
  quotes: `"'`,
};

const json: Language = {
  keywords: words('true false null'),
  lineComments: ['//'],
  blocks: slashes,
  quotes: '"',
};
const style: Language = {
  keywords: words('important media import supports keyframes from to and not only layer container'),
  lineComments: [],
  blocks: slashes,
  quotes: `"'`,
};
const markup: Language = {
  keywords: words(''),
  lineComments: [],
  blocks: [['<!--', '-->', 'comment']],
  quotes: `"'`,
};

const languages: Readonly<Record<string, Language>> = Object.fromEntries(
  (
    [
      [script, 'js jsx mjs cjs ts tsx mts cts vue svelte'],
      [curly, 'c h cc cpp cxx hpp cs java kt kts go rs swift scala dart php proto groovy gradle zig m mm'],
      [python, 'py pyi'],
      [shell, 'sh bash zsh fish rb pl r yml yaml toml ini conf cfg env dockerfile makefile mk tf nix ex exs'],
      [sql, 'sql'],
      [json, 'json jsonc json5 jsonl'],
      [style, 'css scss less'],
      [markup, 'html htm xml svg'],
    ] as const
  ).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

/** The language of a file, by its name; undefined where nothing of it has a colour. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(languages, ending) ? languages[ending] : undefined;
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /\d[\w.]*/y;

/** The coloured parts of a line, and what the next line begins inside of. Each character is looked at once. */
export function tokensOf(
  text: string,
  language: Language,
  before: Inside,
): { readonly tokens: readonly Token[]; readonly after: Inside } {
  if (text.length > longestLine) return { tokens: [], after: null };
  const tokens: Token[] = [];
  let at = 0;
  let inside = before;
  while (at < text.length) {
    if (inside) {
      const end = text.indexOf(inside.until, at);
      const to = end < 0 ? text.length : end + inside.until.length;
      tokens.push({ from: at, to, kind: inside.kind });
      at = to;
      if (end < 0) break;
      inside = null;
      continue;
    }
    const block = language.blocks.find(([open]) => text.startsWith(open, at));
    if (block) {
      const [open, until, kind] = block;
      tokens.push({ from: at, to: at + open.length, kind });
      at += open.length;
      inside = { kind, until };
      continue;
    }
    if (language.lineComments.some((mark) => startsComment(text, at, mark))) {
      tokens.push({ from: at, to: text.length, kind: 'comment' });
      break;
    }
    const token = tokenAt(text, at, language);
    if (token.kind) tokens.push({ from: at, to: token.to, kind: token.kind });
    at = token.to;
  }
  return { tokens, after: inside };
}

/** A # inside of a word is none: `$#`, `a#b`. */
function startsComment(text: string, at: number, mark: string): boolean {
  return text.startsWith(mark, at) && (mark !== '#' || at === 0 || /\s/.test(text.charAt(at - 1)));
}

function tokenAt(
  text: string,
  at: number,
  { quotes, keywords }: Language,
): { readonly to: number; readonly kind?: TokenKind } {
  const first = text.charAt(at);
  if (quotes.includes(first)) return { to: endOfString(text, at), kind: 'string' };
  number.lastIndex = at;
  const digits = number.exec(text)?.[0];
  if (digits !== undefined) return { to: at + digits.length, kind: 'number' };
  word.lastIndex = at;
  const name = word.exec(text)?.[0];
  if (name === undefined) return { to: at + 1 };
  const to = at + name.length;
  if (keywords.has(name) || keywords.has(name.toLowerCase())) return { to, kind: 'keyword' };
  return text.charAt(to) === '(' ? { to, kind: 'call' } : { to };
}

function endOfString(text: string, at: number): number {
  const quote = text.charAt(at);
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== quote) end += text.charAt(end) === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}
