import { codexErrorKind } from './turn-error.js';
import type { WireError } from './wire.js';

// Left alone, Codex tries to reach a server that is not there without end (measured).
const patienceMs = 60_000;
// With `retry-after` it waits in silence for as long as it is told to, be it an hour (measured).
const limitPatienceMs = 15_000;
const lookMs = 1000;

/** The errors of the model's server that Codex tries to get over by itself. */
export class ModelRetries {
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #last: { readonly since: number; readonly error: WireError } | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  failed(error: WireError): void {
    this.#last = { since: this.#last?.since ?? this.#now(), error };
  }

  /** The model has answered, or nobody waits for it any more. */
  over(): void {
    this.#last = null;
  }

  /** The error that it is pointless to go on with: the login is wrong, or nobody has answered for long. */
  get hopeless(): WireError | null {
    if (this.#last === null) return null;
    const { since, error } = this.#last;
    const kind = codexErrorKind(error);
    const patience = kind === 'rate_limit' ? limitPatienceMs : patienceMs;
    return kind === 'auth' || this.#now() - since > patience ? error : null;
  }

  /** Calls back once it is pointless; Codex may say no more meanwhile. */
  watch(giveUp: () => void): void {
    clearInterval(this.#timer);
    const look = () => {
      if (this.#last !== null && this.hopeless === null) return;
      clearInterval(this.#timer);
      if (this.#last !== null) giveUp();
    };
    this.#timer = setInterval(look, lookMs);
    this.#timer.unref();
    look();
  }
}
