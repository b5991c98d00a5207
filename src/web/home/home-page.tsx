import './home.css';
import { type ReactNode, useMemo } from 'react';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import { DispatchBox } from '../dispatch/dispatch-box.js';
import { useOverview } from '../overview/use-overview.js';
import { linesOf } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { ThreadList } from './thread-list.js';
import { useFilter } from './use-filter.js';
import { useFound } from './use-found.js';

/** Who needs you, who works, what waits, what is done. */
export function HomePage(): ReactNode {
  const { threads, isPresent } = useOverview(useConsole().overview);
  const [filter, setFilter] = useFilter();
  const { found, isAsking, problem } = useFound(filter);
  const lines = useMemo(() => linesOf(threads.values(), filter, found), [threads, filter, found]);
  const runtimes = useMemo(
    () => [...new Set(Array.from(threads.values(), ({ runtime }) => runtime))].toSorted(),
    [threads],
  );
  const workspaces = useMemo(() => foldersOf(threads.values()), [threads]);
  return (
    <div className="home">
      <h1 className="unseen">Home</h1>
      <DispatchBox />
      <FilterBar filter={filter} runtimes={runtimes} workspaces={workspaces} onChange={setFilter} />
      {problem !== undefined && <p role="alert">{problem}</p>}
      {lines.length > 0 ? (
        <ThreadList lines={lines} />
      ) : (
        <Nothing isPresent={isPresent && !isAsking} isFiltered={threads.size > 0} />
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
  if (isFiltered) return <p className="empty">No work matches these filters.</p>;
  return (
    <div className="empty">
      <p>No work yet.</p>
      <p>Describe the first piece of work above, or start it in a terminal:</p>
      <pre>
        <code>handraise run "Fix the flaky test"</code>
      </pre>
    </div>
  );
}

/** The folders that agents work in; a worktree has one thread only, so that there is nothing to choose. */
function foldersOf(threads: Iterable<Thread>): string[] {
  const folders = Array.from(threads, ({ workspace }) => (workspace.worktree ? [] : [workspace.path]));
  return [...new Set(folders.flat())].toSorted();
}
