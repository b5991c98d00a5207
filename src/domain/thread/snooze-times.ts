/** A time to put a thread off until. */
export interface SnoozeChoice {
  readonly words: string;
  readonly until: string;
}

const hour = 60 * 60_000;
const morning = 8;

/** What is offered at a moment: an hour, four, tomorrow and next week in the morning, by the clock of this machine. */
export function snoozeChoices(now: number): SnoozeChoice[] {
  return [
    { words: '1 hour', until: later(now + hour) },
    { words: '4 hours', until: later(now + 4 * hour) },
    { words: 'Tomorrow, 08:00', until: later(morningAfter(now, 1)) },
    { words: 'Next Monday, 08:00', until: later(morningAfter(now, daysToMonday(now))) },
  ];
}

/** Tomorrow morning, which one key puts a thread off until. */
export function nextMorning(now: number): string {
  return later(morningAfter(now, 1));
}

const day = 24 * hour;
const units = [
  ['m', 60_000],
  ['h', hour],
  ['d', day],
  ['w', 7 * day],
] as const;
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const longest = 365 * day;

/** A length of time as it is typed, 30m, 4h, 3d or 1w, from now on; undefined for anything else. */
export function snoozedFor(text: string, now: number): string | undefined {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text.trim().toLowerCase()) ?? [];
  const ms = Number(count) * (units.find(([name]) => name === unit)?.[1] ?? Number.NaN);
  return ms > 0 && ms <= longest ? later(now + ms) : undefined;
}

/** A time as it is typed: 17:30 (the next one), tomorrow, monday (in the morning), or a date with or without a time; never in the past. */
export function snoozedUntil(text: string, now: number): string | undefined {
  const moment = momentOf(text.trim(), now);
  return moment > now && moment <= now + longest ? later(moment) : undefined;
}

function momentOf(text: string, now: number): number {
  const words = text.toLowerCase();
  if (words === 'tomorrow') return morningAfter(now, 1);
  const weekday = days.indexOf(words);
  if (weekday >= 0) return morningAfter(now, (weekday - new Date(now).getDay() + 7) % 7 || 7);
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(words) ?? [];
  if (hours !== undefined && minutes !== undefined) return nextClockTime(now, Number(hours), Number(minutes));
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T0${morning}:00`);
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}

function nextClockTime(now: number, hours: number, minutes: number): number {
  if (hours > 23 || minutes > 59) return Number.NaN;
  const at = new Date(now);
  const today = new Date(at.getFullYear(), at.getMonth(), at.getDate(), hours, minutes).getTime();
  return today > now
    ? today
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, hours, minutes).getTime();
}

function later(moment: number): string {
  return new Date(moment).toISOString();
}

/** The morning so many days on; a day may have 23 or 25 hours. */
function morningAfter(now: number, count: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + count, morning).getTime();
}

function daysToMonday(now: number): number {
  return (8 - new Date(now).getDay()) % 7 || 7;
}
