import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import type { MakePlace, StorePlace } from './place.js';

/** A store for the tests of one group; opened before the first of them, closed and removed after the last. */
export function openedStore(makePlace: MakePlace): { readonly store: Store } {
  let opened: { store: Store; place: StorePlace } | undefined;
  beforeAll(async () => {
    const place = await makePlace();
    opened = { place, store: await place.open() };
  });
  afterAll(async () => {
    await opened?.store.close();
    await opened?.place.remove();
  });
  return {
    get store() {
      if (!opened) throw new Error('The store is open only while its tests run.');
      return opened.store;
    },
  };
}
