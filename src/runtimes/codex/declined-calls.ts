import type { CallEnd } from './tool-call.js';

type Ended = { readonly id: string; readonly end: CallEnd };

/** The calls of a turn that were declined with words. The model reads these when it goes on; until then an interrupt makes Codex forget them. */
export class DeclinedCalls {
  readonly #worded = new Set<string>();
  readonly #ended: Ended[] = [];

  turnBegins(): void {
    this.#worded.clear();
    this.#ended.length = 0;
  }

  add(id: string): void {
    this.#worded.add(id);
  }

  has(id: string): boolean {
    return this.#worded.has(id);
  }

  /** Codex says that the call is over, before the model could read the words. */
  ended(id: string, end: CallEnd): void {
    this.#ended.push({ id, end });
  }

  /** The model reads what was said to those that have ended. */
  read(): readonly Ended[] {
    return this.#ended.splice(0);
  }
}
