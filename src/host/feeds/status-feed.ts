import type { StatusChange } from '../../protocol/api.js';
import type { StatusBus } from './news.js';

/** Carries statuses to whoever listens; a listener that fails or lags reads the latest from the threads. */
export class StatusFeed implements StatusBus {
  readonly #listeners = new Set<(change: StatusChange) => void>();

  subscribe(listener: (change: StatusChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  publish(change: StatusChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
