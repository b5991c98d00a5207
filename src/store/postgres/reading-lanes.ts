import { Failure } from '../../protocol/failure.js';
import type { Steps } from '../sql/steps.js';
import type { Patience } from './patience.js';
import { PostgresConnection } from './postgres-connection.js';
import { isConnectionLost, postgresFailure } from './postgres-failure.js';
import type { DatabaseAddress } from './store-url.js';

const mostLanes = 4;

/** A few connections that are read from, each for one query at a time; one that is lost is replaced, and its query asked again. */
export class ReadingLanes implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #patience: Patience;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(address: DatabaseAddress, patience: Patience) {
    this.#address = address;
    this.#patience = patience;
  }

  /** Asks, and asks again for as long as the server can be expected back. */
  async ask<Result>(question: () => Steps<Result>): Promise<Result> {
    while (this.#busy >= mostLanes) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      return await this.#patience.keep(async () => await this.#askOnce(question));
    } catch (error) {
      throw error instanceof Failure ? error : postgresFailure(error, this.#address.place);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#busy > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await Promise.all(this.#idle.map(async (lane) => await lane[Symbol.asyncDispose]()));
  }

  async #askOnce<Result>(question: () => Steps<Result>): Promise<Result> {
    const lane = this.#takeIdle() ?? (await PostgresConnection.open(this.#address));
    try {
      const answer = await lane.drive(question());
      this.#idle.push(lane);
      return answer;
    } catch (error) {
      if (isConnectionLost(error)) lane.abandon();
      else this.#idle.push(lane);
      throw error;
    }
  }

  #takeIdle(): PostgresConnection | undefined {
    for (;;) {
      const lane = this.#idle.pop();
      if (!lane || lane.isOpen) return lane;
    }
  }
}
