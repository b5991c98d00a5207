import { useSyncExternalStore } from 'react';
import { type Place, pathOf, placeOf } from './place.js';

/** The address bar: where a person is, and the way to another place. */
export class Navigation {
  readonly #listeners = new Set<() => void>();
  #path = location.pathname;
  #place = placeOf(this.#path);

  constructor() {
    addEventListener('popstate', () => this.#moved());
  }

  get place(): Place {
    return this.#place;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  go(place: Place): void {
    const path = pathOf(place);
    if (path === this.#path) return;
    history.pushState(null, '', path);
    this.#moved();
  }

  /** Goes to a path of the console, with what stands behind its `?`. */
  goTo(path: string): void {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }

  /** Goes without a step in the history. */
  replace(place: Place): void {
    history.replaceState(null, '', pathOf(place));
    this.#moved();
  }

  #moved(): void {
    this.#path = location.pathname;
    this.#place = placeOf(this.#path);
    for (const listener of this.#listeners) listener();
  }
}

export function usePlace(navigation: Navigation): Place {
  return useSyncExternalStore(navigation.subscribe, () => navigation.place);
}
