import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useConsole } from './console-context.js';
import { HomePage } from './home/home-page.js';
import { usePlace } from './navigation.js';
import { useOverview } from './overview/use-overview.js';
import { type Place, pathOf } from './place.js';
import { whileWanted } from './presence.js';
import { Shell } from './shell/shell.js';
import { keepAskedPath } from './sign-in/asked-path.js';
import { useSignIn } from './sign-in/sign-in.js';
import { SignInDialog, SignInPage } from './sign-in/sign-in-page.js';

/** The whole console: the page of the place where a person is, or how to sign in. */
export function App(): ReactNode {
  const { overview: store, navigation, presence, signIn, clock } = useConsole();
  const { isPresent } = useOverview(store);
  const { secret, isOut } = useSignIn(signIn);
  const place = usePlace(navigation);

  // Begins anew with every secret.
  useEffect(() => {
    const ending = new AbortController();
    const { subscribe } = presence;
    const isWanted = () => presence.isWanted;
    void whileWanted({ subscribe, isWanted }, ending.signal, (signal) => store.follow(signal));
    return () => ending.abort();
  }, [store, presence, secret]);
  useEffect(() => {
    if (isOut) keepAskedPath(pathOf(place), clock.now);
  }, [isOut, place, clock]);

  if (isOut && !isPresent) return <SignInPage isOver={secret !== undefined} />;
  return (
    <>
      <Shell place={place}>
        <Suspense fallback={<p className="loading">Loading…</p>}>
          <Page place={place} />
        </Suspense>
      </Shell>
      {isOut && <SignInDialog />}
    </>
  );
}

// Only the first page is in the first file.
const InboxPage = lazy(() => import('./inbox/inbox-page.js'));
const ThreadPage = lazy(() => import('./thread/thread-page.js'));
const SchedulesPage = lazy(() => import('./schedules/schedules-page.js'));
const PipelinesPage = lazy(() => import('./pipelines/pipelines-page.js'));
const FleetPage = lazy(() => import('./fleet/fleet-page.js'));
const SettingsPage = lazy(() => import('./settings/settings-page.js'));

function Page({ place }: { readonly place: Place }): ReactNode {
  switch (place.page) {
    case 'home':
      return <HomePage />;
    case 'inbox':
      return <InboxPage promptId={place.promptId} />;
    case 'thread':
      return <ThreadPage key={place.threadId} threadId={place.threadId} />;
    case 'schedules':
      return <SchedulesPage />;
    case 'pipelines':
      return <PipelinesPage />;
    case 'fleet':
      return <FleetPage />;
    case 'settings':
      return <SettingsPage />;
    case 'nowhere':
      return <p className="empty">This page does not exist.</p>;
    default:
      return place satisfies never;
  }
}
