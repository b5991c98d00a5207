import type { StatusChange } from '../../protocol/api.js';
import { nobodyElse } from './live-feed.js';
import type { StatusBus } from './news.js';

/** Carries statuses to whoever listens; a listener that fails or lags reads the latest from the threads. */
export class StatusFeed implements StatusBus {
  readonly #listeners = new Set<(change: StatusChange) => void>();
  readonly #lookOn: () => Disposable;
  #looking: Disposable | undefined;

  /** `lookOn` asks for what other workers do, for as long as anybody listens. */
  constructor(lookOn: () => Disposable = nobodyElse) {
    this.#lookOn = lookOn;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (change: StatusChange) => void): Disposable {
    this.#listeners.add(listener);
    this.#looking ??= this.#lookOn();
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        if (this.isWatched) return;
        this.#looking?.[Symbol.dispose]();
        this.#looking = undefined;
      },
    };
  }

  publish(change: StatusChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
