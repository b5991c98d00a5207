import './shell.css';
import { type ReactNode, useEffect, useState } from 'react';
import { openPrompts } from '../../live/overview.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { Link } from '../parts/link.js';
import type { Place } from '../place.js';
import { Brand } from './brand.js';
import { ConnectionBanner } from './connection-banner.js';
import { KeyHelp } from './key-help.js';
import { NotifyButton } from './notify-button.js';
import { ThemeButton } from './theme-button.js';
import { UndoBar } from './undo-bar.js';

/** What surrounds every page: the way to the others, how the connection stands, and the help. */
export function Shell({
  place,
  children,
}: {
  readonly place: Place;
  readonly children: ReactNode;
}): ReactNode {
  const { navigation, overview: store } = useConsole();
  const overview = useOverview(store);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const waiting = openPrompts(overview).length;

  useKeys({
    'g h': () => navigation.go({ page: 'home' }),
    'g i': () => navigation.go({ page: 'inbox' }),
    'g s': () => navigation.go({ page: 'schedules' }),
    'g f': () => navigation.go({ page: 'fleet' }),
    '?': () => setHelpOpen(true),
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
          <Tab to={{ page: 'fleet' }} place={place}>
            Fleet
          </Tab>
        </nav>
        <div className="top-tools">
          <NotifyButton />
          <ThemeButton />
          <button
            type="button"
            className="icon-button"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={() => setHelpOpen(true)}
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
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
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
