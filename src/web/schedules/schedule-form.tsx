import { type FormEvent, type ReactNode, useState } from 'react';
import { keysOf } from '../../protocol/keys.js';
import { MissedPolicy, OverlapPolicy, type ScheduleRequest } from '../../protocol/schedule.js';
import { freedoms, noWords, requestOf, usualChoices, type WorkForm } from '../dispatch/work-form.js';
import { useControl } from '../parts/use-control.js';

const hourSeconds = 3600;

/** What becomes of questions, as a person chooses it; nothing is chosen for them. */
const questions = {
  '': { words: 'choose…', unanswered: undefined },
  wait: { words: 'wait for me', unanswered: 'wait' },
  deny: {
    words: 'count as denied after an hour',
    unanswered: {
      text: { policy: 'deny', afterSeconds: hourSeconds },
      approval: { policy: 'deny', afterSeconds: hourSeconds },
      ask_user_question: { policy: 'deny', afterSeconds: hourSeconds },
    },
  },
  refuse: { words: 'end the work as blocked', unanswered: 'refuse' },
} as const;

const overlaps = { skip: 'skip this time', queue: 'wait for its end', cancel: 'cancel it' } as const;
const misses = { once: 'start once for all of them', skip: 'skip them' } as const;

const usual = {
  ...noWords,
  ...usualChoices,
  when: '',
  questions: '' as keyof typeof questions,
  overlap: 'skip' as OverlapPolicy,
  missed: 'once' as MissedPolicy,
};

/** Where a schedule is added. */
export function ScheduleForm({ onAdded }: { readonly onAdded: () => void }): ReactNode {
  const [form, setForm] = useState(usual);
  const [said, setSaid] = useState('');
  const { isActing, failure, act } = useControl();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const set = (fields: Partial<typeof usual>) => setForm({ ...form, ...fields });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const request = scheduleOf(form, timeZone);
    if ('missing' in request) return setSaid(request.missing);
    setSaid('');
    act(async ({ schedules }) => {
      const { name } = await schedules.create(request);
      setSaid(`Added ${name}.`);
      set({ when: '', text: '' });
      onAdded();
    });
  };
  return (
    <form className="dispatch-box is-open" aria-label="New schedule" onSubmit={onSubmit}>
      <div className="dispatch-options">
        <label className="wide">
          When ({timeZone})
          <input
            value={form.when}
            placeholder="every weekday 7:00"
            onChange={(event) => set({ when: event.target.value })}
          />
        </label>
        <label className="wide">
          Folder
          <input
            value={form.folder}
            placeholder="/path/to/the/project"
            onChange={(event) => set({ folder: event.target.value })}
          />
        </label>
      </div>
      <div className="dispatch-options">
        <label className="wide">
          Work
          <textarea rows={2} value={form.text} onChange={(event) => set({ text: event.target.value })} />
        </label>
      </div>
      <div className="dispatch-options">
        <Choice
          label="Questions that nobody answers"
          value={form.questions}
          words={Object.fromEntries(keysOf(questions).map((key) => [key, questions[key].words]))}
          onChange={(value) => set({ questions: keysOf(questions).find((key) => key === value) ?? '' })}
        />
        <Choice
          label="Permissions"
          value={form.freedom}
          words={Object.fromEntries(keysOf(freedoms).map((key) => [key, freedoms[key].words]))}
          onChange={(value) => set({ freedom: keysOf(freedoms).find((key) => key === value) ?? 'ask' })}
        />
        <Choice
          label="While earlier work goes on"
          value={form.overlap}
          words={overlaps}
          onChange={(value) => set({ overlap: OverlapPolicy.catch('skip').parse(value) })}
        />
        <Choice
          label="Missed times"
          value={form.missed}
          words={misses}
          onChange={(value) => set({ missed: MissedPolicy.catch('once').parse(value) })}
        />
        <label>
          Runtime
          <input value={form.runtime} onChange={(event) => set({ runtime: event.target.value })} />
        </label>
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

/** A field with a few values to choose from, each in words. */
function Choice({
  label,
  value,
  words,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly words: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {Object.entries(words).map(([key, each]) => (
          <option key={key} value={key}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function scheduleOf(
  form: WorkForm & Pick<typeof usual, 'when' | 'questions' | 'overlap' | 'missed'>,
  timeZone: string,
): ScheduleRequest | { readonly missing: string } {
  if (form.when.trim() === '') return { missing: 'Say when, for example: every weekday 7:00' };
  const work = requestOf(form);
  if ('missing' in work) return work;
  const { unanswered } = questions[form.questions];
  if (unanswered === undefined)
    return { missing: 'Choose what becomes of questions that nobody answers: you may be asleep then.' };
  const { when, overlap, missed } = form;
  return { when: when.trim(), timeZone, overlap, missed, unanswered, work };
}
