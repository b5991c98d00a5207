import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';

const longestRaw = 16_384;

/** Something that nobody here knows, as an event: whole, or as the beginning of its JSON where that is long. */
export function unrecognized(raw: unknown): EventBody<'unrecognized'> {
  // What has no JSON, as a function has none, is undefined here.
  const text: string | undefined = JSON.stringify(raw);
  return {
    type: 'unrecognized',
    raw: text !== undefined && text.length > longestRaw ? cutText(text, longestRaw) : raw,
  };
}

/** Unknown parts of what an agent says, each kind told once per message: a stream of thousands is no flood. */
export class UnknownParts {
  readonly #told = new Set<string>();

  turnBegins(): void {
    this.#told.clear();
  }

  tell(part: {
    readonly kind: string;
    readonly message: string;
    readonly raw: unknown;
  }): EventBody<'unrecognized'>[] {
    const key = JSON.stringify([part.message, part.kind]);
    if (this.#told.has(key)) return [];
    this.#told.add(key);
    return [unrecognized(part.raw)];
  }
}
