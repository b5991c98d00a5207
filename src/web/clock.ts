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

const minute = 60_000;

/** The time by the minute, for what is sorted by it and would be sorted each second otherwise. */
export function useMinute(clock: ConsoleClock): number {
  return useSyncExternalStore(clock.subscribe, () => Math.floor(clock.now / minute) * minute);
}
