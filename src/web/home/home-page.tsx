import './home.css';
import { type ReactNode, useMemo, useState } from 'react';
import { DispatchBox } from '../dispatch/dispatch-box.js';
import { useOutside } from '../outside.js';
import { useOverview } from '../overview/overview-store.js';
import { linesOf, noFilter } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { ThreadList } from './thread-list.js';

/** Who needs you, who works, what waits, what is done. */
export function HomePage(): ReactNode {
  const { threads, isPresent } = useOverview(useOutside().overview);
  const [filter, setFilter] = useState(noFilter);
  const lines = useMemo(() => linesOf(threads.values(), filter), [threads, filter]);
  const runtimes = useMemo(
    () => [...new Set(Array.from(threads.values(), ({ runtime }) => runtime))].toSorted(),
    [threads],
  );
  return (
    <div className="home">
      <h1 className="unseen">Home</h1>
      <DispatchBox />
      <FilterBar filter={filter} runtimes={runtimes} onChange={setFilter} />
      {lines.length > 0 ? (
        <ThreadList lines={lines} />
      ) : (
        <Nothing isPresent={isPresent} isFiltered={threads.size > 0} />
      )}
    </div>
  );
}

function Nothing({
  isPresent,
  isFiltered,
}: {
  readonly isPresent: boolean;
  readonly isFiltered: boolean;
}): ReactNode {
  if (!isPresent) return <p className="loading">Loading…</p>;
  if (isFiltered) return <p className="empty">No thread fits.</p>;
  return (
    <div className="empty">
      <p>No agent has worked here yet.</p>
      <p>Give one something to do above, or in a terminal:</p>
      <pre>
        <code>handraise run "Fix the flaky test"</code>
      </pre>
    </div>
  );
}
