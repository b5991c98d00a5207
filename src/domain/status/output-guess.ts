import { BellFinder } from './bell.js';

type Guessed = 'said_busy' | 'said_asking' | 'said_idle';

/**
 * What can be guessed of a program that tells nothing: it wrote something lately, its bell rang, or all is silent. Each
 * method says what is new, or null where nothing is; who calls it keeps the time.
 */
export class OutputGuess {
  readonly #bell = new BellFinder();
  readonly #isTypedInto: boolean;
  #last: Guessed | null = null;

  /** Whoever has rung waits until somebody types, whatever else it draws; where nobody can, until it writes again. */
  constructor({ isTypedInto }: { readonly isTypedInto: boolean }) {
    this.#isTypedInto = isTypedInto;
  }

  get isAsking(): boolean {
    return this.#last === 'said_asking';
  }

  wrote(text: string): Guessed | null {
    if (this.#bell.hears(text)) return this.#take('said_asking');
    return this.isAsking && (this.#isTypedInto || text.trim() === '') ? null : this.#take('said_busy');
  }

  typed(): Guessed | null {
    return this.#take('said_busy');
  }

  /** Nothing was written or typed for as long as counts. */
  silent(): Guessed | null {
    return this.isAsking ? null : this.#take('said_idle');
  }

  #take(fact: Guessed): Guessed | null {
    const isNew = fact !== this.#last;
    this.#last = fact;
    return isNew ? fact : null;
  }
}
