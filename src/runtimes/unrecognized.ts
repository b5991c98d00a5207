import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';

const longestRaw = 16_384;
const longestKind = 200;
const mostKinds = 100;

/** Something that nobody here knows, as an event: whole, or as the beginning of its JSON where that is long. */
export function unrecognized(raw: unknown): EventBody<'unrecognized'> {
  const text = jsonOf(raw);
  if (text === null)
    return { type: 'unrecognized', raw: { error: 'It is nested too deeply to be written.' } };
  return {
    type: 'unrecognized',
    raw: text !== undefined && text.length > longestRaw ? cutText(text, longestRaw) : raw,
  };
}

/** What has no JSON, as a function has none, is undefined, and null is what is nested too deeply to be written. */
function jsonOf(raw: unknown): string | undefined | null {
  try {
    return JSON.stringify(raw);
  } catch {
    return null;
  }
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
    const key = JSON.stringify([part.message, cutText(part.kind, longestKind)]);
    if (this.#told.has(key) || this.#told.size > mostKinds) return [];
    this.#told.add(key);
    if (this.#told.size > mostKinds)
      return [unrecognized({ error: `More than ${mostKinds} kinds are unknown; the rest is left out.` })];
    return [unrecognized(part.raw)];
  }
}
