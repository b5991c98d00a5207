import { type ReactNode, useEffect, useState } from 'react';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { StatusBar } from '../parts/status-bar.js';
import { type DatedStatus, spansOf } from '../parts/status-span.js';

const steps = 500;

/** How the agent spent its time, from its beginning until now, as one bar. */
export function StatusStrip({ thread }: { readonly thread: Thread }): ReactNode {
  const { client, clock } = useConsole();
  const now = useNow(clock);
  const { id, status } = thread;
  const [log, setLog] = useState<readonly DatedStatus[]>([]);
  useEffect(() => {
    client.threads.statusSteps(id, { limit: steps, order: 'newest_first' }).then(
      (found) => setLog(found.toReversed()),
      () => {},
    );
    // Every change of the status is a step more.
  }, [client, id, status.state, status.why]);
  const [first] = log;
  if (!first) return null;
  const from = Date.parse(first.at);
  return (
    <div className="status-strip">
      <StatusBar
        spans={spansOf(log, now)}
        from={from}
        to={Math.max(now, from + 1000)}
        name="Status over time"
      />
    </div>
  );
}
