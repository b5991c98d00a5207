/** For how long an agent may go on in silence that was told to stop. */
const longestGraceMs = 60_000;

/**
 * Notices that an agent has said nothing for long while nobody is asked and no tool runs. An agent that tries again and
 * again to reach a model's server says nothing over ACP, and some try without end (measured). One that hangs does not even hear
 * that it is to stop.
 */
export class SilenceWatch implements Disposable {
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #heardAt: number;
  #isTold = false;

  constructor(parts: {
    readonly limitMs: number;
    readonly now: () => number;
    readonly isBusy: () => boolean;
    readonly silent: () => void;
    /** It was told to stop, and went on in silence. */
    readonly deaf: () => void;
  }) {
    this.#limitMs = parts.limitMs;
    this.#now = parts.now;
    this.#heardAt = parts.now();
    this.#timer = setInterval(
      () => {
        if (!this.#isTold && parts.isBusy()) this.heard();
        else if (this.#isLong()) this.#tell(parts);
      },
      Math.max(10, parts.limitMs / 20),
    );
    this.#timer.unref();
  }

  heard(): void {
    this.#heardAt = this.#now();
  }

  #isLong(): boolean {
    const limitMs = this.#isTold ? Math.min(this.#limitMs, longestGraceMs) : this.#limitMs;
    return this.#now() - this.#heardAt > limitMs;
  }

  #tell({ silent, deaf }: { readonly silent: () => void; readonly deaf: () => void }): void {
    if (this.#isTold) {
      this[Symbol.dispose]();
      deaf();
      return;
    }
    this.#isTold = true;
    this.heard();
    silent();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
