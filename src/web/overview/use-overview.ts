import { useSyncExternalStore } from 'react';
import type { Overview } from '../../live/overview.js';
import type { OverviewStore } from '../../live/overview-store.js';

/** The overview as it stands, drawn again with every change. */
export function useOverview(store: OverviewStore): Overview {
  return useSyncExternalStore(store.subscribe, () => store.overview);
}
