import { type ReactNode, useEffect, useState } from 'react';
import { duration } from '../../../domain/words/age.js';
import type { Thread } from '../../../protocol/thread.js';
import { useNow } from '../../clock.js';
import { useConsole } from '../../console-context.js';
import { readFailed } from '../../parts/read-failure.js';
import { StatusBar } from '../../parts/status-bar.js';
import { type DatedStatus, spansOf, totalsOf } from '../../parts/status-span.js';

const steps = 500;
const mostTotals = 4;

/** How the agent spent its time, from its beginning until now, as one bar. */
export function StatusStrip({ thread }: { readonly thread: Thread }): ReactNode {
  const { client, clock } = useConsole();
  const now = useNow(clock);
  const { id, status } = thread;
  const [log, setLog] = useState<readonly DatedStatus[]>([]);
  useEffect(() => {
    client.threads
      .statusSteps(id, { limit: steps, order: 'newest_first' })
      .then((found) => setLog(found.toReversed()), readFailed);
    // Every change of the status is a step more.
  }, [client, id, status.state, status.why]);
  const [first] = log;
  if (!first) return null;
  const from = Date.parse(first.at);
  const spans = spansOf(log, now);
  const to = Math.max(now, from + 1000);
  return (
    <section className="status-strip" aria-labelledby="details-status">
      <h2 id="details-status">
        Status over time <span className="note">{duration(to - from)}</span>
      </h2>
      <StatusBar spans={spans} from={from} to={to} name="Status over time" />
      <ul className="note status-totals">
        {totalsOf(spans)
          .slice(0, mostTotals)
          .map(({ mark, ms }) => (
            <li key={mark.word}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" rx="3" className={`fill-${mark.tone}`} />
              </svg>{' '}
              {mark.word} {duration(ms)}
            </li>
          ))}
      </ul>
    </section>
  );
}
