import type { ReactNode } from 'react';
import { isSnoozed } from '../../domain/thread/snooze.js';
import { snoozeChoices } from '../../domain/thread/snooze-times.js';
import { clockTime } from '../../domain/words/clock-time.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import type { Control } from '../parts/use-control.js';

/** Puts the thread off until later, or takes that back. */
export function SnoozeItems({
  thread,
  control,
}: {
  readonly thread: Thread;
  readonly control: Control;
}): ReactNode {
  const { now } = useConsole().clock;
  const { id, snoozed } = thread;
  const { act, isActing } = control;
  const snooze = (until: string | null) => act(({ threads }) => threads.snooze(id, { until }));
  if (snoozed && isSnoozed(thread, now)) {
    return (
      <button type="button" disabled={isActing} onClick={() => snooze(null)}>
        Wake now (snoozed until {clockTime(snoozed.until, { now })})
      </button>
    );
  }
  return (
    <label className="menu-field">
      Snooze
      <select disabled={isActing} value="" onChange={(event) => snooze(event.target.value)}>
        <option value="">Not snoozed</option>
        {snoozeChoices(now).map(({ words, until }) => (
          <option key={words} value={until}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
