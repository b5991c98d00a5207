import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { Failure } from '../../protocol/failure.js';
import { PlacedFailure, type TextPlace } from '../../protocol/placed-failure.js';
import { excessOf } from './file-bounds.js';

const largestFile = 256 * 1024;
const mostAliases = 100;
// Of a longer line the beginning is shown.
const longestLine = 10_000;

/** A YAML file that knows where in it everything stands. */
export class PlacedFile {
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #source: string;
  readonly #file: string;

  /** Refuses what is no YAML. */
  constructor(source: string, file: string) {
    this.#source = source;
    this.#file = file;
    if (source.length > largestFile)
      throw new Failure('invalid', `${file} is larger than 256 KiB. A pipeline is a few phases.`);
    const excess = excessOf(source);
    if (excess) {
      this.#lines.addNewLine(0);
      for (const { index } of source.matchAll(/\n/g)) this.#lines.addNewLine(index + 1);
      throw this.#refusal(excess.sentence, excess.offset);
    }
    this.#document = parseDocument(source, { lineCounter: this.#lines, prettyErrors: false });
    const [error] = this.#document.errors;
    if (error) throw this.#refusal(yamlSentence(error), error.pos[0]);
  }

  /** What it says; aliases are filled in, but not so often that a small file becomes a large one. */
  content(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: mostAliases });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read';
      throw this.#refusal(`${why.replace(/\.?$/, '.')} Write out what the aliases stand for.`, 0);
    }
  }

  /** A sentence about what stands at a path; `key` means a key of the map there, `word` a place inside of the text there. */
  refuse(
    path: readonly PropertyKey[],
    sentence: string,
    at: {
      readonly key?: string | undefined;
      readonly word?: string | undefined;
      readonly offset?: number;
    } = {},
  ): Failure {
    return this.#refusal(sentence, this.#placeOf(path, at));
  }

  has(path: readonly PropertyKey[]): boolean {
    return this.#document.hasIn(path);
  }

  /** The same failure, about what stands at a path. */
  about(path: readonly PropertyKey[], cause: Failure): Failure {
    const place = this.#textPlace(this.#placeOf(path, {}));
    return new PlacedFailure(cause.code, { where: this.#file, sentence: cause.message }, { place, cause });
  }

  /** The file, line and column of what stands at a path. */
  where(path: readonly PropertyKey[]): string {
    return this.#words(this.#placeOf(path, {}));
  }

  #placeOf(
    path: readonly PropertyKey[],
    {
      key,
      word,
      offset,
    }: { readonly key?: string | undefined; readonly word?: string | undefined; readonly offset?: number },
  ): number {
    const node = this.#document.getIn(path, true);
    if (key !== undefined && isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
    }
    if (!isNode(node) || !node.range)
      return path.length === 0 ? 0 : this.#placeOf(path.slice(0, -1), { key: lastKey(path) });
    const [start, end] = node.range;
    if (word !== undefined) {
      const found = this.#source.indexOf(word, start);
      if (found !== -1 && found < end) return found;
    }
    const isOnOneLine = isScalar(node) && (node.type === 'PLAIN' || node.type?.startsWith('QUOTE') === true);
    const quote = isScalar(node) && node.type?.startsWith('QUOTE') === true ? 1 : 0;
    return offset !== undefined && isOnOneLine ? Math.min(start + quote + offset, end) : start;
  }

  #refusal(sentence: string, offset: number): Failure {
    const place = this.#textPlace(offset);
    return new PlacedFailure('invalid', { where: this.#file, sentence }, { place });
  }

  #words(offset: number): string {
    const { line, column } = this.#textPlace(offset);
    return `${this.#file}, line ${line}, column ${column}`;
  }

  #textPlace(offset: number): TextPlace {
    const at = Math.min(offset, this.#source.length);
    const { line, col } = this.#lines.linePos(at);
    const start = at - Math.max(0, col - 1);
    const [text = ''] = this.#source.slice(start, start + longestLine).split(/\r?\n/, 1);
    return { text, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function yamlSentence({ code, message }: YAMLParseError): string {
  if (code === 'MULTIPLE_DOCS')
    return 'A second document begins here. A pipeline is one file: take this line and what follows away.';
  return message.replace(/\.?$/, '.');
}

function lastKey(path: readonly PropertyKey[]): string | undefined {
  const last = path.at(-1);
  return typeof last === 'string' ? last : undefined;
}
