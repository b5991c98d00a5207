/** Looks again and again, never twice at once; whoever closes it waits for the look that is under way. A look must not fail. */
export class RepeatedLook implements AsyncDisposable {
  readonly #look: () => Promise<void>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(look: () => Promise<void>, everyMs: number) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /** Looks from now on, for the first time when the time has passed once. */
  open(): void {
    this.#timer = setInterval(() => this.now(), this.#everyMs);
  }

  /** Looks at once, unless it does already. */
  now(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}
