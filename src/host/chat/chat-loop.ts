import { setTimeout as delay } from 'node:timers/promises';
import { errorSentence } from '../../protocol/error-sentence.js';

const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Listens again and again until it is closed; waits longer and longer while that fails, and says once why. */
export class ChatLoop implements AsyncDisposable {
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;

  /** `listen` throws where it cannot; returning means that it worked for a while. */
  constructor(name: string, listen: (signal: AbortSignal) => Promise<void>, log: (line: string) => void) {
    this.#done = this.#run(name, listen, log);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(
    name: string,
    listen: (signal: AbortSignal) => Promise<void>,
    log: (line: string) => void,
  ): Promise<void> {
    const { signal } = this.#closing;
    let [failures, trouble] = [0, ''];
    while (!signal.aborted) {
      try {
        await listen(signal);
        [failures, trouble] = [0, ''];
      } catch (error) {
        if (signal.aborted) return;
        const why = errorSentence(error);
        if (why !== trouble) log(`Answers from ${name} do not arrive: ${why}`);
        trouble = why;
        failures += 1;
        const waitMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
        await delay(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}
