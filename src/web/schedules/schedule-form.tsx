import { type FormEvent, type ReactNode, useState } from 'react';
import { RuntimeField } from '../dispatch/runtime-field.js';
import { runtimeOffer } from '../dispatch/runtime-offer.js';
import { useRuntimes } from '../dispatch/use-runtimes.js';
import { freedoms } from '../dispatch/work-form.js';
import { noWords, usualChoices } from '../dispatch/work-words.js';
import { useControl } from '../parts/use-control.js';
import { ChoiceField, ScheduleFields } from './schedule-fields.js';
import { ownTimeZone, type ScheduleTimes, scheduleOf, usualTimes } from './schedule-request.js';

const empty = { ...noWords, ...usualChoices };

/** Where a schedule is added. */
export function ScheduleForm({ onAdded }: { readonly onAdded: () => void }): ReactNode {
  const [form, setForm] = useState(empty);
  const [times, setTimes] = useState<ScheduleTimes>(usualTimes);
  const [said, setSaid] = useState('');
  const { isActing, failure, act } = useControl();
  const reports = useRuntimes(true);
  const offered = (runtime: string) => runtimeOffer({ ...form, runtime }, reports).freedoms;
  const set = (fields: Partial<typeof empty>) => setForm({ ...form, ...fields });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const request = scheduleOf(form, times, { timeZone: ownTimeZone() });
    if ('missing' in request) return setSaid(request.missing);
    setSaid('');
    act(async ({ schedules }) => {
      const { name } = await schedules.create(request);
      setSaid(`Added ${name}.`);
      set({ text: '' });
      setTimes({ ...times, when: '' });
      onAdded();
    });
  };
  return (
    <form className="dispatch-box is-open" aria-label="New schedule" onSubmit={onSubmit}>
      <div className="dispatch-options">
        <ScheduleFields times={times} onChange={(fields) => setTimes({ ...times, ...fields })} />
      </div>
      <div className="dispatch-options">
        <label className="wide">
          Work
          <textarea rows={2} value={form.text} onChange={(event) => set({ text: event.target.value })} />
        </label>
      </div>
      <div className="dispatch-options">
        <label className="wide">
          Folder
          <input
            value={form.folder}
            placeholder="/path/to/the/project"
            onChange={(event) => set({ folder: event.target.value })}
          />
        </label>
        <ChoiceField
          label="Permissions"
          value={form.freedom}
          words={Object.fromEntries(offered(form.runtime).map((key) => [key, freedoms[key].words]))}
          onChange={(value) => set({ freedom: offered(form.runtime).find((key) => key === value) ?? 'ask' })}
        />
        <label>
          Budget for each time
          <input
            value={form.budget}
            placeholder="5, 200k tokens, or none"
            onChange={(event) => set({ budget: event.target.value })}
          />
        </label>
        <RuntimeField
          runtime={form.runtime}
          reports={reports}
          onChange={(runtime) => set({ runtime, freedom: offered(runtime)[0] ?? 'ask' })}
        />
        {form.runtime === 'exec' && (
          <label className="wide">
            Command
            <input
              value={form.command}
              placeholder="my-agent --print {prompt}"
              onChange={(event) => set({ command: event.target.value })}
            />
          </label>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={form.worktree}
            onChange={(event) => set({ worktree: event.target.checked })}
          />
          Use a separate git worktree
        </label>
        <span className="dispatch-send">
          <button type="submit" className="primary" disabled={isActing}>
            Add schedule
          </button>
        </span>
      </div>
      <p role="status" className={failure === undefined ? 'note' : 'note is-bad'}>
        {failure ?? said}
      </p>
    </form>
  );
}
