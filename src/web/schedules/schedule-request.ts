import type { UsualContainer } from '../../protocol/container.js';
import { given } from '../../protocol/given.js';
import {
  longestJitterSeconds,
  type MissedPolicy,
  type OverlapPolicy,
  type ScheduleRequest,
} from '../../protocol/schedule.js';
import { budgetMissing, requestOf, typedBudget } from '../dispatch/work-form.js';
import type { WorkForm } from '../dispatch/work-words.js';

const hourSeconds = 3600;

/** What becomes of questions, as a person chooses it; nothing is chosen for them. */
export const questions = {
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

/** When work is given again, and what becomes of it when nobody is there. */
export interface ScheduleTimes {
  readonly when: string;
  readonly total: string;
  readonly questions: keyof typeof questions;
  readonly overlap: OverlapPolicy;
  readonly missed: MissedPolicy;
  /** Seconds, as typed. Work that was kept in a browser may not have it. */
  readonly jitter?: string;
}

export const usualTimes: ScheduleTimes = {
  when: '',
  total: '',
  questions: '',
  overlap: 'skip',
  missed: 'once',
};

/** A schedule as the API takes it, or what is missing. */
export function scheduleOf(
  form: WorkForm,
  times: ScheduleTimes,
  { timeZone, usual }: { readonly timeZone: string; readonly usual?: UsualContainer | undefined },
): ScheduleRequest | { readonly missing: string } {
  const { when, overlap, missed, jitter = '' } = times;
  if (when.trim() === '') return { missing: 'Say when, for example: every weekday 7:00' };
  const work = requestOf(form, usual);
  if ('missing' in work) return work;
  const { unanswered } = questions[times.questions];
  if (unanswered === undefined)
    return { missing: 'Choose what becomes of questions that nobody answers: you may be asleep then.' };
  if (form.budget.trim() === '')
    return { missing: 'Say what each time may spend, such as 5 (dollars) or 200k tokens, or none.' };
  const total = typedBudget(times.total);
  if (total === null) return { missing: budgetMissing };
  const jitterSeconds = jitter.trim() === '' ? undefined : Number(jitter);
  if (jitterSeconds !== undefined && !isJitter(jitterSeconds))
    return { missing: `Say by how many seconds it may start later, from 0 to ${longestJitterSeconds}.` };
  return {
    when: when.trim(),
    timeZone,
    overlap,
    missed,
    unanswered,
    ...given({ budget: total, jitterSeconds }),
    work,
  };
}

function isJitter(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= longestJitterSeconds;
}

/** The time zone of this browser, which the times are meant in. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
