import { errorSentence } from '../protocol/error-sentence.js';

const names = [
  'text',
  'think',
  'tool',
  'ask',
  'deltas',
  'huge',
  'delay',
  'slow',
  'stop',
  'usage',
  'error',
  'hang',
  'cut',
  'malformed',
  'next',
] as const;

export type DirectiveName = (typeof names)[number];

/** One `[[name argument key=value]]` of a prompt. */
export interface Directive {
  name: DirectiveName;
  argument: string;
  input: Record<string, unknown>;
  settings: Record<string, string>;
}

/** A prompt holds a directive that cannot be carried out as written. */
export class DirectiveError extends Error {
  override readonly name = 'DirectiveError';
}

// A key begins where no letter of it stands before; otherwise every letter of a long word would be looked at as a beginning.
const settingKey = /(?<![a-z-])[a-z-]+=/;
const setting = /(?<![a-z-])([a-z-]+)=("(?:[^"\\]|\\.)*"|\S+)/g;

const saying = new Set<DirectiveName>(['text', 'think', 'ask', 'deltas']);

/** Reads the directives of one prompt; `<<…>>` counts only where there is no `[[…]]`, so it can be nested. */
export class DirectiveReader {
  readonly #text: string;
  readonly #start: RegExp;
  readonly #close: string;

  constructor(text: string) {
    const square = startOf('\\[\\[', '\\]\\]');
    const nested = !square.test(text);
    square.lastIndex = 0;
    this.#text = text;
    this.#start = nested ? startOf('<<', '>>') : square;
    this.#close = nested ? '>>' : ']]';
  }

  readAll(): Directive[] {
    const directives: Directive[] = [];
    for (let found = this.#start.exec(this.#text); found; found = this.#start.exec(this.#text)) {
      const name = names.find((known) => known === found[1]);
      if (name) directives.push(this.#read(name));
    }
    return directives;
  }

  #read(name: DirectiveName): Directive {
    if (name === 'tool') return this.#readTool();
    if (saying.has(name)) return directive(name, this.#quoted() ?? this.#untilClose(name));
    const words = this.#untilClose(name);
    const settings = Object.fromEntries(
      [...words.matchAll(setting)].map(([, key = '', value = '']) => [
        key,
        value.startsWith('"') ? String(parseJson(value, name)) : value,
      ]),
    );
    const first = words.search(settingKey);
    return { ...directive(name, first < 0 ? words : words.slice(0, first).trimEnd()), settings };
  }

  #readTool(): Directive {
    const tool = this.#take(/\s*([^\s{\]>]+)\s*/y)?.[1];
    if (!tool) throw new DirectiveError('a tool directive must name a tool');
    if (this.#text[this.#position] !== '{') {
      if (this.#untilClose('tool') !== '')
        throw new DirectiveError(`tool ${tool}: the input must be a JSON object`);
      return directive('tool', tool);
    }
    const json = this.#text.slice(this.#position, endOfJson(this.#text, this.#position));
    const input = parseJson(json, `tool ${tool}`);
    this.#start.lastIndex += json.length;
    if (this.#untilClose('tool') !== '') throw new DirectiveError(`tool ${tool}: text after the JSON object`);
    return { ...directive('tool', tool), input: isRecord(input) ? input : {} };
  }

  /** A text in JSON quotes, which may hold line ends and the closing mark. */
  #quoted(): string | undefined {
    const pattern = /\s*("(?:[^"\\]|\\.)*")\s*(\]\]|>>)/y;
    pattern.lastIndex = this.#position;
    const [, quoted, close] = pattern.exec(this.#text) ?? [];
    if (!quoted || close !== this.#close) return undefined;
    this.#start.lastIndex = pattern.lastIndex;
    return String(parseJson(quoted, 'quoted text'));
  }

  #untilClose(name: string): string {
    const end = this.#text.indexOf(this.#close, this.#position);
    if (end < 0) throw new DirectiveError(`${name} is not closed with ${this.#close}`);
    const argument = this.#text.slice(this.#position, end).trim();
    this.#start.lastIndex = end + this.#close.length;
    return argument;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#start.lastIndex = pattern.lastIndex;
    return found;
  }

  get #position(): number {
    return this.#start.lastIndex;
  }
}

function startOf(open: string, close: string): RegExp {
  return new RegExp(`${open}(${names.join('|')})(?=\\s|${close})`, 'g');
}

function directive(name: DirectiveName, argument: string): Directive {
  return { name, argument, input: {}, settings: {} };
}

// The input may hold the closing mark itself ([[ -f x ]] in a shell command), so it is read by its braces.
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '{') depth++;
    else if (!inString && char === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new DirectiveError(`${where}: ${errorSentence(error)}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
