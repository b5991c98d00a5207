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
import { tableLines } from '../terminal/table.js';
import { cardLines } from './card.js';
import type { TableContext } from './table-context.js';

type ScheduleContext = Omit<TableContext, 'ids'>;

const columns = [
  { header: 'SCHEDULE' },
  { header: 'WHEN' },
  { header: 'NEXT' },
  { header: 'LAST', isFlexible: true },
  { header: 'WORK', isFlexible: true },
];

const runColumns = [
  { header: 'TIME' },
  { header: 'DISPATCH' },
  { header: 'COST' },
  { header: 'WHAT BECAME OF IT', isFlexible: true },
];

export function scheduleTable(
  schedules: readonly Schedule[],
  { now, width, colours }: ScheduleContext,
): string[] {
  const rows = schedules.map((schedule) => [
    { text: schedule.name },
    { text: `${plainLine(schedule.when)} (${schedule.timeZone})` },
    { text: nextTimeWords(schedule, now) },
    { text: schedule.lastRun ? scheduleRunWords(schedule.lastRun) : '–', paint: colours.dim },
    { text: plainLine(schedule.work.title ?? schedule.work.text, { maxLength: 1000 }) },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}

/** What became of the times of a schedule. */
export function scheduleRunTable(
  runs: readonly ScheduleRun[],
  { timeZone }: Pick<Schedule, 'timeZone'>,
  { now, width, colours }: ScheduleContext,
): string[] {
  const rows = runs.map((run) => [
    { text: run.tickAt === undefined ? 'by hand' : clockTime(run.tickAt, { now, timeZone }) },
    { text: run.dispatchId ?? '–' },
    { text: money(run.outcome?.costUsd) },
    { text: scheduleRunWords(run) },
  ]);
  return tableLines(runColumns, rows, { width, paintHeader: colours.dim });
}

export function scheduleCard(schedule: Schedule, { now, colours }: ScheduleContext): string[] {
  const { work } = schedule;
  return cardLines(
    [
      ['schedule', `${schedule.name} (${schedule.id})`],
      ['when', `${plainLine(schedule.when)} (${schedule.cron}, ${schedule.timeZone})`],
      ['next', nextTimeWords(schedule, now)],
      ['missed', schedule.missed === 'once' ? 'missed times start once' : 'missed times are skipped'],
      ['overlap', schedule.overlap],
      ['jitter', schedule.jitterSeconds === 0 ? undefined : `up to ${schedule.jitterSeconds} s`],
      ['questions', questionsWords(schedule)],
      ['budget', scheduleBudgetWords(schedule)],
      ['workspace', work.workspace && requestedPlace(work.workspace)],
      ['thread', work.thread],
      ['runtime', work.runtime],
      ['verify', work.verify && plainLine(work.verify)],
      ['on success', work.onSuccess],
      ['work', plainLine(work.text, { maxLength: 2000 })],
    ],
    colours,
  );
}
