import './work-counts.css';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { groupOf } from '../../domain/thread/thread-group.js';
import { money } from '../../domain/words/money.js';
import type { UsageReport } from '../../protocol/api.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';
import { Link } from '../parts/link.js';
import { readFailed } from '../parts/read-failure.js';

/** How many agents work, how much waits, and what was spent today; it leads to the fleet. */
export default function WorkCounts(): ReactNode {
  const { client, overview, clock } = useConsole();
  const { threads, isPresent } = useOverview(overview);
  const now = useMinute(clock);
  const [days, setDays] = useState<readonly UsageReport[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a minute
  useEffect(() => {
    client.usage('day').then(setDays, readFailed);
  }, [client, now]);
  const [working, queued] = useMemo(() => {
    const groups = Array.from(threads.values(), (thread) =>
      thread.archivedAt === undefined ? groupOf(thread) : 'done',
    );
    const count = (wanted: string) => groups.filter((group) => group === wanted).length;
    return [count('working'), count('queued')];
  }, [threads]);
  if (!isPresent) return null;
  const today = days.find(({ key }) => key === new Date(now).toISOString().slice(0, 10))?.usage.costUsd;
  return (
    <Link to={{ page: 'fleet' }} className="work-counts" title="Fleet">
      <span className="work-count is-working">{working} working</span>
      {queued > 0 && <span className="work-count">{queued} queued</span>}
      {typeof today === 'number' && <span>{money(today)} today</span>}
    </Link>
  );
}
