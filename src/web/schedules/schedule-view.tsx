import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Client } from '../../client/client.js';
import { clockTime } from '../../domain/words/clock-time.js';
import { money } from '../../domain/words/money.js';
import { requestedPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import {
  nextTimeWords,
  questionsWords,
  scheduleBudgetWords,
  scheduleRunWords,
} from '../../domain/words/schedule-words.js';
import type { Schedule, ScheduleRun } from '../../protocol/schedule.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { Link } from '../parts/link.js';
import { readFailed } from '../parts/read-failure.js';
import { Only } from '../rights.js';

const shownRuns = 50;

/** One schedule, with what can be done about it and what became of its times. */
export function ScheduleView({
  schedule,
  isActing,
  act,
}: {
  readonly schedule: Schedule;
  readonly isActing: boolean;
  readonly act: (ask: (client: Client) => Promise<unknown>) => void;
}): ReactNode {
  const { clock } = useConsole();
  const now = useNow(clock);
  const headId = useId();
  const [isOpen, setOpen] = useState(false);
  const { id, name, state, work, lastRun } = schedule;
  const isPaused = state === 'paused';
  return (
    <section aria-labelledby={headId}>
      <div className="section-head">
        <h2 id={headId}>{name}</h2>
        <Only to="dispatch">
          <span className="schedule-acts">
            <button
              type="button"
              disabled={isActing}
              onClick={() => act(({ schedules }) => schedules.runNow(id))}
            >
              Run now
            </button>
            <button
              type="button"
              disabled={isActing}
              onClick={() => act(({ schedules }) => (isPaused ? schedules.resume(id) : schedules.pause(id)))}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </button>
            <button
              type="button"
              className="danger"
              disabled={isActing}
              onClick={() => act(({ schedules }) => schedules.remove(id))}
            >
              Remove
            </button>
          </span>
        </Only>
      </div>
      <p className="schedule-work">{plainLine(work.title ?? work.text, { maxLength: 500 })}</p>
      <p className="note">
        {plainLine(schedule.when)} ({schedule.timeZone}) · next: {nextTimeWords(schedule, now)} ·{' '}
        {schedule.jitterSeconds > 0 && `up to ${schedule.jitterSeconds} s later · `}
        {questionsWords(schedule)} · budget: {scheduleBudgetWords(schedule)}
      </p>
      {work.workspace && <p className="note">{requestedPlace(work.workspace)}</p>}
      {lastRun && <p className="note">Last: {scheduleRunWords(lastRun)}</p>}
      <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        History
      </button>
      {isOpen && <History schedule={schedule} now={now} />}
    </section>
  );
}

function History({ schedule, now }: { readonly schedule: Schedule; readonly now: number }): ReactNode {
  const { client } = useConsole();
  const [runs, setRuns] = useState<readonly ScheduleRun[]>();
  const { id, timeZone, lastRun } = schedule;
  const newest = `${lastRun?.id} ${lastRun?.state}`;
  useEffect(() => {
    client.schedules.runs(id, { limit: shownRuns }).then((page) => setRuns(page.runs), readFailed);
    // Read again when another time has been, or the work of the last one has moved on.
  }, [client, id, newest]);
  if (runs === undefined) return <p className="note">Loading…</p>;
  if (runs.length === 0) return <p className="note">No time has come yet.</p>;
  return (
    <table className="schedule-history">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">What became of it</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>{run.tickAt === undefined ? 'by hand' : clockTime(run.tickAt, { now, timeZone })}</td>
            <td>
              {run.threadId !== undefined && run.state !== undefined ? (
                <Link to={{ page: 'thread', threadId: run.threadId }}>{scheduleRunWords(run)}</Link>
              ) : (
                scheduleRunWords(run)
              )}
            </td>
            <td>{money(run.outcome?.costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
