import type { ReactNode } from 'react';
import { keysOf } from '../../protocol/keys.js';
import { MissedPolicy, OverlapPolicy } from '../../protocol/schedule.js';
import { ownTimeZone, questions, type ScheduleTimes } from './schedule-request.js';

const overlaps = { skip: 'skip this time', queue: 'wait for its end', cancel: 'cancel it' } as const;
const misses = { once: 'start once for all of them', skip: 'skip them' } as const;

/** When work is given again and again, and what becomes of it then. */
export function ScheduleFields({
  times,
  onChange,
}: {
  readonly times: ScheduleTimes;
  readonly onChange: (fields: Partial<ScheduleTimes>) => void;
}): ReactNode {
  return (
    <>
      <label className="wide">
        When ({ownTimeZone()})
        <input
          value={times.when}
          placeholder="every weekday 7:00"
          onChange={(event) => onChange({ when: event.target.value })}
        />
      </label>
      <ChoiceField
        label="Questions that nobody answers"
        value={times.questions}
        words={Object.fromEntries(keysOf(questions).map((key) => [key, questions[key].words]))}
        onChange={(value) => onChange({ questions: keysOf(questions).find((key) => key === value) ?? '' })}
      />
      <ChoiceField
        label="While earlier work goes on"
        value={times.overlap}
        words={overlaps}
        onChange={(value) => onChange({ overlap: OverlapPolicy.catch('skip').parse(value) })}
      />
      <ChoiceField
        label="Missed times"
        value={times.missed}
        words={misses}
        onChange={(value) => onChange({ missed: MissedPolicy.catch('once').parse(value) })}
      />
      <label>
        Seconds it may start later
        <input
          value={times.jitter ?? ''}
          inputMode="numeric"
          placeholder="0"
          onChange={(event) => onChange({ jitter: event.target.value })}
        />
      </label>
      <label>
        Budget for all times together
        <input
          value={times.total}
          placeholder="none"
          onChange={(event) => onChange({ total: event.target.value })}
        />
      </label>
    </>
  );
}

/** A field with a few values to choose from, each in words. */
export function ChoiceField({
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
