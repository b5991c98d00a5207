import './schedules.css';
import '../parts/parts.css';
import '../dispatch/dispatch.css';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { Schedule } from '../../protocol/schedule.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';
import { readFailed } from '../parts/read-failure.js';
import { useControl } from '../parts/use-control.js';
import { useMay } from '../rights.js';
import { ScheduleForm } from './schedule-form.js';
import { ScheduleView } from './schedule-view.js';

/** Work that is given again and again: what comes next, what became of the last times, and a form for more. */
export default function SchedulesPage(): ReactNode {
  const { client, overview: store } = useConsole();
  const { threads } = useOverview(store);
  const [schedules, setSchedules] = useState<readonly Schedule[]>();
  const control = useControl();
  // What is given again and again runs without anybody who approves it.
  const canAdd = [useMay('dispatch'), useMay('approve')].every(Boolean);
  const read = useCallback(
    () => client.schedules.all().then((all) => setSchedules(all), readFailed),
    [client],
  );
  // The overview tells when work of a schedule was queued or has ended.
  const work = useMemo(
    () =>
      Array.from(threads.values(), ({ lastDispatch }) => `${lastDispatch?.id} ${lastDispatch?.state}`).join(),
    [threads],
  );
  useEffect(() => {
    void read();
  }, [read, work]);
  return (
    <div className="schedules section-page scroller">
      <h1>Schedules</h1>
      {canAdd && <ScheduleForm onAdded={() => void read()} />}
      {control.failure !== undefined && (
        <p role="alert" className="note is-bad">
          {control.failure}
        </p>
      )}
      {schedules?.length === 0 && <p className="note">There are no schedules yet.</p>}
      {schedules?.map((schedule) => (
        <ScheduleView
          key={schedule.id}
          schedule={schedule}
          isActing={control.isActing}
          act={(ask) =>
            control.act(async (asked) => {
              await ask(asked);
              await read();
            })
          }
        />
      ))}
    </div>
  );
}
