import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { HomePage } from './home/home-page.js';
import { usePlace } from './navigation.js';
import { useOutside } from './outside.js';
import { useOverview } from './overview/overview-store.js';
import { failureWords } from './parts/failure-words.js';
import type { Place } from './place.js';
import { whileWanted } from './presence.js';
import { Shell } from './shell/shell.js';
import { SignInPage } from './sign-in/sign-in-page.js';

/** The whole console: signed out, or the page of the place where a person is. */
export function App({ code }: { readonly code?: string }): ReactNode {
  const { client, overview: store, navigation, presence } = useOutside();
  const { connection } = useOverview(store);
  const place = usePlace(navigation);
  const [failure, setFailure] = useState<string>();

  useEffect(() => {
    const ending = new AbortController();
    const start = async () => {
      // A browser that is signed in already has no use for the code, so the stream decides.
      if (code !== undefined) await client.login(code).catch((error) => setFailure(failureWords(error)));
      const { subscribe } = presence;
      const isWanted = () => presence.isWanted;
      await whileWanted({ subscribe, isWanted }, ending.signal, (signal) => store.follow(signal));
    };
    void start();
    return () => ending.abort();
  }, [client, store, presence, code]);

  if (connection.kind === 'signed_out') return <SignInPage failure={failure} />;
  return (
    <Shell place={place}>
      <Suspense fallback={<p className="loading">Loading…</p>}>
        <Page place={place} />
      </Suspense>
    </Shell>
  );
}

// Only the first page is in the first file.
const InboxPage = lazy(() => import('./inbox/inbox-page.js'));
const ThreadPage = lazy(() => import('./thread/thread-page.js'));
const FleetPage = lazy(() => import('./fleet/fleet-page.js'));

function Page({ place }: { readonly place: Place }): ReactNode {
  switch (place.page) {
    case 'home':
      return <HomePage />;
    case 'inbox':
      return <InboxPage promptId={place.promptId} />;
    case 'thread':
      return <ThreadPage key={place.threadId} threadId={place.threadId} />;
    case 'fleet':
      return <FleetPage />;
    case 'nowhere':
      return <p className="empty">There is no such page.</p>;
    default:
      return place satisfies never;
  }
}
