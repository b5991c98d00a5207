import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { until } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { given } from '../../protocol/given.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { readFailed } from '../parts/read-failure.js';

const most = 100;

/** Work that has not begun, in the order in which it was given. */
export function Queue(): ReactNode {
  const { client, overview: store, clock } = useConsole();
  const { threads } = useOverview(store);
  const now = useNow(clock);
  const [dispatches, setDispatches] = useState<readonly Dispatch[]>([]);
  const queued = useMemo(
    () =>
      Array.from(threads.values(), ({ lastDispatch }) =>
        lastDispatch?.state === 'queued' ? lastDispatch.id : '',
      )
        .filter((id) => id !== '')
        .toSorted()
        .join(' '),
    [threads],
  );
  useEffect(() => {
    client.dispatches
      .list({ state: 'queued', limit: most, order: 'oldest_first' })
      .then((page) => setDispatches(page.dispatches), readFailed);
    // The overview tells when something was queued or has begun.
  }, [client, queued]);
  return (
    <section aria-labelledby="queue-head">
      <h2 id="queue-head">
        Queue <span className="note">{dispatches.length}</span>
      </h2>
      {dispatches.length === 0 ? (
        <p className="note">The queue is empty.</p>
      ) : (
        <ol className="queue">
          {dispatches.map(({ id, threadId, title, text, createdAt, notBefore, waitsFor, why, priority }) => (
            <li key={id}>
              <Link to={{ page: 'thread', threadId }}>{plainLine(title ?? text)}</Link>
              <span className="note">
                <Age at={createdAt} />
                {priority !== 0 && ` · priority ${priority}`}
                {notBefore !== undefined && waitsFor === undefined && ` · starts ${until(notBefore, now)}`}
                {why !== undefined && ` · ${queuedWords({ why, ...given({ waitsFor, notBefore }) }, now)}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
