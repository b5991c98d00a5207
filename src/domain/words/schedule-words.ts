import type { Schedule, ScheduleRun } from '../../protocol/schedule.js';
import { amountWords } from '../dispatch/budget.js';
import { clockTime } from './clock-time.js';
import { reasonWords } from './outcome-words.js';
import { plainLine } from './plain-text.js';

/** When a schedule gives work next, in its own time zone. */
export function nextTimeWords({ nextAt, waitingAt, timeZone, state }: Schedule, now: number): string {
  if (state === 'paused') return 'paused';
  if (waitingAt !== undefined) return 'waits for the end of earlier work';
  return nextAt === undefined ? 'never again' : clockTime(nextAt, { now, timeZone });
}

/** What became of one time of a schedule. */
export function scheduleRunWords({ result, ticks = 1, reason, state, outcome }: ScheduleRun): string {
  switch (result) {
    case 'started':
      if (outcome)
        return `${outcome.result}${outcome.reason === undefined ? '' : `: ${reasonWords(outcome.reason)}`}`;
      return state ?? 'started; its thread was removed';
    case 'skipped':
      return `skipped: ${plainLine(reason ?? '')}`;
    case 'missed':
      return ticks === 1
        ? `missed: ${plainLine(reason ?? '')}`
        : `missed ${ticks >= 100 ? '100 or more' : ticks} times: ${plainLine(reason ?? '')}`;
    case 'failed':
      return `could not start: ${plainLine(reason ?? '')}`;
    default:
      return result satisfies never;
  }
}

/** What a schedule may spend, and has spent. */
export function scheduleBudgetWords({
  work,
  budget,
  spent,
}: Pick<Schedule, 'work' | 'budget' | 'spent'>): string {
  const limits = [
    ...(work.budget ? [`${amountWords(work.budget)} each time`] : []),
    ...(budget ? [`${amountWords(budget)} in all`] : []),
  ];
  const used = spent && spent.tokens > 0 ? ` (used so far: ${amountWords(spent)})` : '';
  return `${limits.length === 0 ? 'none' : limits.join(', ')}${used}`;
}

/** What becomes of questions of a schedule's work. */
export function questionsWords({ unanswered }: Pick<Schedule, 'unanswered'>): string {
  if (unanswered === 'wait') return 'questions wait for a person';
  if (unanswered === 'refuse') return 'a question ends the work as blocked';
  return Object.entries(unanswered)
    .flatMap(([kind, rule]) => (rule ? [`${kind}: ${rule.policy} after ${rule.afterSeconds} s`] : []))
    .join(', ');
}
