import { OutputGuess } from '../domain/status/output-guess.js';
import type { EventBody } from '../protocol/event.js';
import type { RuntimeHost } from './runtime.js';

/**
 * Guesses from what a command prints whether it works, for as long as it runs. Its input was given whole before, so that
 * nobody types. The evidence is weak, and tells only what is new: a command may print a million lines.
 */
export class OutputWatch implements Disposable {
  readonly #guess = new OutputGuess({ isTypedInto: false });
  readonly #host: Pick<RuntimeHost, 'emit' | 'now'>;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(host: Pick<RuntimeHost, 'emit' | 'now'>, idleAfterMs: number) {
    this.#host = host;
    this.#timer = setTimeout(() => this.#tell(this.#guess.silent()), idleAfterMs);
  }

  /** Takes what it has printed, on either of its outputs. */
  wrote(text: string): void {
    if (this.#isOver) return;
    this.#tell(this.#guess.wrote(text));
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #tell(fact: EventBody<'status_evidence'>['fact'] | null): void {
    if (fact === null) return;
    const at = new Date(this.#host.now()).toISOString();
    this.#host.emit({ type: 'status_evidence', fact, source: 'exec.output', confidence: 'weak', at });
  }
}
