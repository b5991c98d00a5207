import { createContext, useContext } from 'react';
import type { Client } from '../client/client.js';
import type { OverviewStore } from '../live/overview-store.js';
import type { ConsoleClock } from './clock.js';
import type { Navigation } from './navigation.js';
import type { Presence } from './presence.js';
import type { SignIn } from './sign-in/sign-in.js';

/** What every part of the console may use of the world; one object for the life of the page. */
export interface ConsoleContext {
  readonly client: Client;
  readonly signIn: SignIn;
  readonly overview: OverviewStore;
  readonly navigation: Navigation;
  readonly clock: ConsoleClock;
  readonly presence: Presence;
}

export const ConsoleReactContext = createContext<ConsoleContext | null>(null);

export function useConsole(): ConsoleContext {
  const context = useContext(ConsoleReactContext);
  if (!context)
    throw new Error('This component is rendered without the context of the console (ConsoleReactContext).');
  return context;
}
