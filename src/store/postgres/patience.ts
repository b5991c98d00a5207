import { setTimeout } from 'node:timers/promises';
import { Failure } from '../../protocol/failure.js';
import { isConnectionLost } from './postgres-failure.js';

const firstPauseMs = 50;
const longestPauseMs = 1000;

/** For how long a server that is gone is expected back: long enough for a restart or a failover. */
export class Patience {
  readonly #limitMs: number;
  readonly #givenUp: AbortSignal;

  constructor({ limitMs, givenUp }: { readonly limitMs: number; readonly givenUp: AbortSignal }) {
    this.#limitMs = limitMs;
    this.#givenUp = givenUp;
  }

  /** Tries until it works, the time is over, or the trouble is none that time heals. */
  async keep<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + this.#limitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isPassing(error) || this.#givenUp.aborted || performance.now() > until) throw error;
      }
      await setTimeout(pauseMs, undefined, { signal: this.#givenUp }).catch(() => {});
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Failure ? error.code === 'unavailable' : isConnectionLost(error);
}
