import type { Store } from '../../../src/store/store.js';

/** Somewhere a store can be opened, closed and opened again; empty at first. */
export interface StorePlace {
  /** Opens the store as the worker of this name. */
  open(worker?: { readonly name: string }): Promise<Store>;
  remove(): Promise<void>;
}

export type MakePlace = () => Promise<StorePlace>;
