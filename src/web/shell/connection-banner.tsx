import { type ReactNode, useSyncExternalStore } from 'react';
import type { Connection } from '../overview/overview.js';

/** Says when what is shown may be old; silent while all is well. */
export function ConnectionBanner({ connection }: { readonly connection: Connection }): ReactNode {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const words = wordsOf(connection, isOnline);
  return (
    <div role="status" className={words === undefined ? 'banner banner-empty' : 'banner'}>
      {words}
    </div>
  );
}

function wordsOf(connection: Connection, isOnline: boolean): string | undefined {
  if (connection.kind === 'refused') return `The worker refuses: ${connection.why}`;
  if (connection.kind !== 'reconnecting') return undefined;
  if (!isOnline) return 'Offline. What you see may be old; it comes back with the network.';
  return `Reconnecting to the worker… try ${connection.failed}. Agents go on meanwhile; what you see may be old.`;
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
