// A refused call ends in milliseconds; some runtimes end none before all that was asked beside it is answered.
const patienceMs = 3000;

/**
 * The calls that were told something and have not ended. An agent that is let go before that forgets what it was told, so
 * whoever lets it go waits for them a moment.
 */
export class ToldCalls {
  readonly #running = new Set<string>();
  readonly #told = new Set<string>();
  #whenSettled: (() => void) | null = null;

  started(toolUseId: string): void {
    this.#running.add(toolUseId);
  }

  /** Somebody told it something; a call that is not known, or over, hears nothing. */
  add(toolUseId: string | undefined): void {
    if (toolUseId !== undefined && this.#running.has(toolUseId)) this.#told.add(toolUseId);
  }

  ended(toolUseId: string): void {
    this.#running.delete(toolUseId);
    if (this.#told.delete(toolUseId) && this.#told.size === 0) this.#whenSettled?.();
  }

  get isAny(): boolean {
    return this.#told.size > 0;
  }

  /** All of them have ended, or it took too long. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#whenSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#whenSettled = null;
  }
}
