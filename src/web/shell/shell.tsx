import './shell.css';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import { promptsByRest } from '../../live/awake-prompts.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { newWorkSoon } from '../dispatch/new-work-wish.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { Link } from '../parts/link.js';
import { useOpenings } from '../parts/use-openings.js';
import type { Place } from '../place.js';
import { Brand } from './brand.js';
import { ConnectionBanner } from './connection-banner.js';
import { NotifyButton } from './notify-button.js';
import { ThemeButton } from './theme-button.js';
import { UndoBar } from './undo-bar.js';

// Most pages are used without them.
const KeyHelp = lazy(() => import('./key-help.js'));
const Palette = lazy(() => import('../palette/palette.js'));

/** What surrounds every page: the way to the others, how the connection stands, and the help. */
export function Shell({
  place,
  children,
}: {
  readonly place: Place;
  readonly children: ReactNode;
}): ReactNode {
  const { navigation, overview: store, clock } = useConsole();
  const overview = useOverview(store);
  const help = useOpenings();
  const now = useMinute(clock);
  const waiting = useMemo(() => promptsByRest(overview, now).awake.length, [overview, now]);

  const palette = useOpenings();
  const { open: openPalette } = palette;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      // A dialog that waits for a decision stays in front.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [openPalette]);
  const beginWork = useCallback(() => {
    navigation.go({ page: 'home' });
    newWorkSoon();
  }, [navigation]);

  useKeys({
    'g h': () => navigation.go({ page: 'home' }),
    'g i': () => navigation.go({ page: 'inbox' }),
    'g s': () => navigation.go({ page: 'schedules' }),
    'g p': () => navigation.go({ page: 'pipelines' }),
    'g f': () => navigation.go({ page: 'fleet' }),
    '?': help.open,
  });
  useEffect(() => {
    document.title = waiting === 0 ? 'Handraise' : `(${waiting}) Handraise`;
  }, [waiting]);

  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <Brand />
        <nav aria-label="Pages">
          <Tab to={{ page: 'home' }} place={place}>
            Home
          </Tab>
          <Tab to={{ page: 'inbox' }} place={place}>
            Inbox
            {waiting > 0 && <span className="count">{waiting}</span>}
          </Tab>
          <Tab to={{ page: 'schedules' }} place={place}>
            Schedules
          </Tab>
          <Tab to={{ page: 'pipelines' }} place={place}>
            Pipelines
          </Tab>
          <Tab to={{ page: 'fleet' }} place={place}>
            Fleet
          </Tab>
        </nav>
        <div className="top-tools">
          <button
            type="button"
            className="palette-button"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={openPalette}
          >
            <span className="palette-button-words">Search or run a command</span> <kbd>⌘K</kbd>
          </button>
          <Link to={{ page: 'settings' }} className="icon-button" aria-label="Settings" title="Settings">
            <span aria-hidden="true">⚙</span>
          </Link>
          <NotifyButton />
          <ThemeButton />
          <button
            type="button"
            className="icon-button"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={help.open}
          >
            <span aria-hidden="true">?</span>
          </button>
        </div>
      </header>
      <ConnectionBanner connection={overview.connection} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <UndoBar />
      {palette.opening !== undefined && (
        <Suspense>
          <Palette
            key={palette.opening}
            opening={palette.opening}
            onClosed={palette.closed}
            onHelp={help.open}
            onNewWork={beginWork}
          />
        </Suspense>
      )}
      {help.opening !== undefined && (
        <Suspense>
          <KeyHelp key={help.opening} opening={help.opening} onClosed={help.closed} />
        </Suspense>
      )}
    </div>
  );
}

function Tab({
  to,
  place,
  children,
}: {
  readonly to: Place;
  readonly place: Place;
  readonly children: ReactNode;
}) {
  return (
    <Link to={to} className="tab" aria-current={to.page === place.page ? 'page' : undefined}>
      {children}
    </Link>
  );
}
