import { createContext, useContext } from 'react';
import type { Client } from '../client/client.js';
import type { Clock } from './clock.js';
import type { Navigation } from './navigation.js';
import type { OverviewStore } from './overview/overview-store.js';
import type { Presence } from './presence.js';

/** What every part of the console may use of the world; one object for the life of the page. */
export interface Outside {
  readonly client: Client;
  readonly overview: OverviewStore;
  readonly navigation: Navigation;
  readonly clock: Clock;
  readonly presence: Presence;
}

export const OutsideContext = createContext<Outside | null>(null);

export function useOutside(): Outside {
  const outside = useContext(OutsideContext);
  if (!outside) throw new Error('This part stands outside of the console.');
  return outside;
}
