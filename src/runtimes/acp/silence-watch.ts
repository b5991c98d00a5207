/**
 * Notices that an agent has said nothing for long while nobody is asked and no tool runs. An agent that tries again and
 * again to reach a model's server says nothing over ACP, and some try without end (measured).
 */
export class SilenceWatch implements Disposable {
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #heardAt: number;

  constructor(parts: {
    readonly limitMs: number;
    readonly now: () => number;
    readonly isBusy: () => boolean;
    readonly silent: () => void;
  }) {
    this.#limitMs = parts.limitMs;
    this.#now = parts.now;
    this.#heardAt = parts.now();
    this.#timer = setInterval(
      () => {
        if (parts.isBusy()) this.heard();
        else if (this.#isLong()) {
          this[Symbol.dispose]();
          parts.silent();
        }
      },
      Math.max(10, parts.limitMs / 20),
    );
    this.#timer.unref();
  }

  heard(): void {
    this.#heardAt = this.#now();
  }

  #isLong(): boolean {
    return this.#now() - this.#heardAt > this.#limitMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
