import { type ReactNode, useMemo, useState } from 'react';
import { statusMarks } from '../../domain/status/status-mark.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { keysOf } from '../../protocol/keys.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { askedIn } from '../home/asked-in.js';
import { useOverview } from '../overview/use-overview.js';
import { hourAndMinute } from '../parts/hour-and-minute.js';
import { Link } from '../parts/link.js';
import { ThreadMark } from '../parts/mark.js';
import { StatusBar } from '../parts/status-bar.js';
import { spansOf } from '../parts/status-span.js';
import { useStatusLogs } from './status-logs.js';

const hour = 3_600_000;
const windows = {
  '5 minutes': hour / 12,
  '15 minutes': hour / 4,
  '1 hour': hour,
  '6 hours': 6 * hour,
  '24 hours': 24 * hour,
  '7 days': 168 * hour,
} as const;
type Window = keyof typeof windows;
const mostRows = 40;
const ticks = 5;
const legend = ['busy', 'question', 'idle', 'initializing', 'crashed', 'stopped'] as const;

/** What every agent did when: one line each, the newest on top. */
export function AgentsPicture(): ReactNode {
  const { overview: store, clock } = useConsole();
  const { threads, prompts, isPresent } = useOverview(store);
  const now = useNow(clock);
  const [chosen, setChosen] = useState<Window>('1 hour');
  const shown = useMemo(() => newest(threads.values()), [threads]);
  const logs = useStatusLogs(shown);
  const from = now - windows[chosen];
  return (
    <section aria-labelledby="agents-head">
      <div className="section-head">
        <h2 id="agents-head">Agents over time</h2>
        <label>
          <span className="unseen">Period</span>
          <select value={chosen} onChange={(event) => setChosen(windowOf(event.target.value))}>
            {keysOf(windows).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <ul className="legend" aria-label="Colours">
        {legend.map((state) => (
          <li key={state}>
            <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
              <rect className={`fill-${statusMarks[state].tone}`} width="10" height="10" rx="2" />
            </svg>
            {statusMarks[state].symbol} {statusMarks[state].word}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="empty">{isPresent ? 'No agent has worked yet.' : 'Loading…'}</p>}
      <ul className="agents">
        {shown.map((thread) => (
          <li key={thread.id} className="agent">
            <Link to={{ page: 'thread', threadId: thread.id }}>{plainLine(thread.title) || thread.id}</Link>
            <ThreadMark thread={thread} prompt={askedIn(thread, prompts)} />
            <StatusBar
              spans={spansOf(logs.get(thread.id) ?? [], now)}
              from={from}
              to={now}
              name={plainLine(thread.title)}
            />
            {thread.lastDispatch && queuedWords(thread.lastDispatch, now) !== '' && (
              <p className="note agent-why">{queuedWords(thread.lastDispatch, now)}</p>
            )}
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <div className="axis" aria-hidden="true">
          {Array.from({ length: ticks }, (_, index) => (
            <span key={index}>
              {timeWords(from + (index * windows[chosen]) / (ticks - 1), windows[chosen])}
            </span>
          ))}
        </div>
      )}
      {threads.size > mostRows && (
        <p className="note">
          Showing the newest {mostRows} of {threads.size} threads.
        </p>
      )}
    </section>
  );
}

function newest(threads: Iterable<Thread>): Thread[] {
  return [...threads].toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, mostRows);
}

function windowOf(value: string): Window {
  return keysOf(windows).find((name) => name === value) ?? '1 hour';
}

function timeWords(at: number, span: number): string {
  if (span <= 24 * hour) return hourAndMinute(new Date(at).toISOString());
  return new Date(at).toLocaleString('en-GB', { month: 'short', day: 'numeric' });
}
