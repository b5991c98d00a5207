import { useSyncExternalStore } from 'react';

/** The time, once a second, for whatever shows an age. */
export class ConsoleClock {
  readonly #read: () => number;
  readonly #listeners = new Set<() => void>();
  #now: number;

  constructor(read: () => number) {
    this.#read = read;
    this.#now = read();
    setInterval(() => this.#tick(), 1000);
  }

  get now(): number {
    return this.#now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tick(): void {
    this.#now = this.#read();
    for (const listener of this.#listeners) listener();
  }
}

export function useNow(clock: ConsoleClock): number {
  return useSyncExternalStore(clock.subscribe, () => clock.now);
}
