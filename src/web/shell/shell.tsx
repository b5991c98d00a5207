import './shell.css';
import {
  CalendarClock,
  Gauge,
  House,
  Inbox,
  Keyboard,
  type LucideIcon,
  Plus,
  Search,
  Settings,
  Workflow,
} from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import { promptsByRest } from '../../live/awake-prompts.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { newWorkSoon } from '../dispatch/new-work-wish.js';
import { useKeys } from '../keys/use-keys.js';
import { loadedPart } from '../loaded-part.js';
import { useOverview } from '../overview/use-overview.js';
import { Link } from '../parts/link.js';
import { useMedia } from '../parts/use-media.js';
import { useOpenings } from '../parts/use-openings.js';
import type { Place } from '../place.js';
import { useMay } from '../rights.js';
import { Brand } from './brand.js';
import { BrokenPart } from './broken-part.js';
import { ConnectionBanner } from './connection-banner.js';
import { NotifyButton } from './notify-button.js';
import { ReadFailureBanner } from './read-failure-banner.js';
import { ThemeButton } from './theme-button.js';
import { UndoBar } from './undo-bar.js';

// Most pages are used without them.
const KeyHelp = loadedPart(() => import('./key-help.js'));
const Palette = loadedPart(() => import('../palette/palette.js'));
const WorkCounts = loadedPart(() => import('./work-counts.js'));

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
  const canGive = useMay('dispatch');
  const isWide = useMedia('wide');
  const beginWork = useCallback(() => {
    navigation.go({ page: 'home' });
    newWorkSoon();
  }, [navigation]);

  // On home the box itself listens.
  useKeys(canGive && place.page !== 'home' ? { n: beginWork } : {});
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
          <Tab to={{ page: 'home' }} place={place} icon={House}>
            Home
          </Tab>
          <Tab to={{ page: 'inbox' }} place={place} icon={Inbox}>
            Inbox
            {waiting > 0 && <span className="count">{waiting}</span>}
          </Tab>
          <Tab to={{ page: 'schedules' }} place={place} icon={CalendarClock}>
            Schedules
          </Tab>
          <Tab to={{ page: 'pipelines' }} place={place} icon={Workflow}>
            Pipelines
          </Tab>
          <Tab to={{ page: 'fleet' }} place={place} icon={Gauge}>
            Fleet
          </Tab>
        </nav>
        <div className="top-tools">
          <BrokenPart instead={null}>
            <Suspense>{isWide && <WorkCounts />}</Suspense>
          </BrokenPart>
          {canGive && (
            <button type="button" className="new-work" aria-keyshortcuts="n" onClick={beginWork}>
              <Plus size={15} /> <span className="new-work-words">New work</span> <kbd>n</kbd>
            </button>
          )}
          <button
            type="button"
            className="palette-button"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={openPalette}
          >
            <Search size={15} className="palette-button-icon" />
            <span className="palette-button-words">Search or run a command</span> <kbd>⌘K</kbd>
          </button>
          <Link to={{ page: 'settings' }} className="icon-button" aria-label="Settings" title="Settings">
            <Settings size={17} />
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
            <Keyboard size={17} />
          </button>
        </div>
      </header>
      <ConnectionBanner connection={overview.connection} />
      <ReadFailureBanner />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <UndoBar />
      {palette.opening !== undefined && (
        <BrokenPart key={palette.opening}>
          <Suspense>
            <Palette
              opening={palette.opening}
              onClosed={palette.closed}
              onHelp={help.open}
              onNewWork={canGive ? beginWork : undefined}
            />
          </Suspense>
        </BrokenPart>
      )}
      {help.opening !== undefined && (
        <BrokenPart key={help.opening}>
          <Suspense>
            <KeyHelp opening={help.opening} onClosed={help.closed} />
          </Suspense>
        </BrokenPart>
      )}
    </div>
  );
}

function Tab({
  to,
  place,
  icon: Icon,
  children,
}: {
  readonly to: Place;
  readonly place: Place;
  /** Shown where the pages are at the bottom of a phone. */
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <Link to={to} className="tab" aria-current={to.page === place.page ? 'page' : undefined}>
      <Icon size={20} className="tab-icon" />
      {children}
    </Link>
  );
}
