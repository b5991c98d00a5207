import { type ReactNode, Suspense, useEffect } from 'react';
import { Scope } from '../protocol/scope.js';
import { useConsole } from './console-context.js';
import { useConsoleSettings } from './console-settings.js';
import { HomePage } from './home/home-page.js';
import { loadedPart } from './loaded-part.js';
import { usePlace } from './navigation.js';
import { useOverview } from './overview/use-overview.js';
import { type Place, pathOf } from './place.js';
import { whileWanted } from './presence.js';
import { RightsContext } from './rights.js';
import { BrokenPart } from './shell/broken-part.js';
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
  const may = useConsoleSettings()?.may ?? Scope.options;

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
    <RightsContext value={may}>
      <Shell place={place}>
        <BrokenPart key={place.page}>
          <Suspense fallback={<p className="loading">Loading…</p>}>
            <Page place={place} />
          </Suspense>
        </BrokenPart>
      </Shell>
      {isOut && <SignInDialog />}
    </RightsContext>
  );
}

// Only the first page is in the first file.
const InboxPage = loadedPart(() => import('./inbox/inbox-page.js'));
const ThreadPage = loadedPart(() => import('./thread/thread-page.js'));
const SchedulesPage = loadedPart(() => import('./schedules/schedules-page.js'));
const PipelinesPage = loadedPart(() => import('./pipelines/pipelines-page.js'));
const FleetPage = loadedPart(() => import('./fleet/fleet-page.js'));
const SettingsPage = loadedPart(() => import('./settings/settings-page.js'));

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
