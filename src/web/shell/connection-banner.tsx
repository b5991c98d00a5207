import { type ReactNode, useSyncExternalStore } from 'react';
import type { WorkerConnection } from '../../live/overview.js';

/** Says when what is shown may be old; silent while all is well. */
export function ConnectionBanner({ connection }: { readonly connection: WorkerConnection }): ReactNode {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const words = wordsOf(connection, isOnline);
  return (
    <div role="status" className={words === undefined ? 'banner banner-empty' : 'banner'}>
      {words}
    </div>
  );
}

function wordsOf(connection: WorkerConnection, isOnline: boolean): string | undefined {
  if (connection.kind === 'refused') return `The worker refused the connection: ${connection.why}`;
  if (connection.kind !== 'reconnecting') return undefined;
  if (!isOnline) return 'You are offline. This page may be out of date; it updates when you are back online.';
  return `Reconnecting to the worker… (attempt ${connection.failed}). Agents keep working; this page may be out of date.`;
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
