import './home.css';
import { type ReactNode, Suspense, useMemo } from 'react';
import type { Thread } from '../../protocol/thread.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { DispatchBox } from '../dispatch/dispatch-box.js';
import { loadedPart } from '../loaded-part.js';
import { useOverview } from '../overview/use-overview.js';
import { useMay } from '../rights.js';
import { linesOf } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { ThreadList } from './thread-list.js';
import { useFilter } from './use-filter.js';
import { useFound } from './use-found.js';
import { useSelection } from './use-selection.js';

// Not everybody has agents of their own, and nobody ticks before the list is there.
const ObservedSection = loadedPart(() => import('./observed-section.js'));
const BulkBar = loadedPart(() => import('./bulk-bar.js'));

/** Who needs you, who works, what waits, what is done. */
export function HomePage(): ReactNode {
  const { overview, clock } = useConsole();
  const { threads, prompts, observed, isPresent } = useOverview(overview);
  const now = useMinute(clock);
  const canGive = useMay('dispatch');
  const [filter, setFilter] = useFilter();
  const { found, isAsking, problem } = useFound(filter);
  const lines = useMemo(
    () => linesOf(threads.values(), filter, { found, prompts, now }),
    [threads, prompts, filter, found, now],
  );
  const runtimes = useMemo(
    () => [...new Set(Array.from(threads.values(), ({ runtime }) => runtime))].toSorted(),
    [threads],
  );
  const workspaces = useMemo(() => foldersOf(threads.values()), [threads]);
  const listed = useMemo(
    () => new Set(lines.flatMap((line) => (line.kind === 'thread' ? [line.thread.id] : []))),
    [lines],
  );
  const selection = useSelection(listed);
  const selected = [...selection.ids].flatMap((id) => threads.get(id) ?? []);
  return (
    <div className="home">
      <h1 className="unseen">Home</h1>
      {canGive && <DispatchBox />}
      <FilterBar filter={filter} runtimes={runtimes} workspaces={workspaces} onChange={setFilter} />
      <Suspense>{observed.length > 0 && <ObservedSection sessions={observed} />}</Suspense>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {lines.length > 0 ? (
        <ThreadList lines={lines} selection={selection} />
      ) : (
        <Nothing isPresent={isPresent && !isAsking} isFiltered={threads.size > 0} canGive={canGive} />
      )}
      <Suspense>
        {canGive && selected.length > 0 && (
          <BulkBar threads={selected} listed={listed.size} selection={selection} />
        )}
      </Suspense>
    </div>
  );
}

function Nothing({
  isPresent,
  isFiltered,
  canGive,
}: {
  readonly isPresent: boolean;
  readonly isFiltered: boolean;
  readonly canGive: boolean;
}): ReactNode {
  if (!isPresent) return <p className="loading">Loading…</p>;
  if (isFiltered) return <p className="empty">No work matches these filters.</p>;
  if (!canGive) return <p className="empty">No work yet.</p>;
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
