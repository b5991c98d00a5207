import { badTimes, fieldCountPlace, oddWord, wordLike } from './cron-field.js';

const dayNumbers: Readonly<Record<string, number>> = {
  sunday: 0,
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6,
};

const nicknames = new Set(['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually']);

const examples =
  'Write for example "every weekday 7:00", "every day at 9", "every monday 8:30", "every 15 minutes", "every hour", ' +
  '"first of the month 6:00", or cron with five fields, such as "0 7 * * 1-5".';

const time = String.raw`(?: at)? (\d{1,2})(?::(\d{2}))? ?(am|pm)?`;
const daysAtTime = new RegExp(`^every ([a-z, ]+?)${time}$`);
const dayOfMonth = new RegExp(
  String.raw`^(?:on )?(?:the )?(first|last|\d{1,2}(?:st|nd|rd|th))(?: day)? of (?:the|every|each) month${time}$`,
);
const knownWord =
  /^(?:every|each|on|the|at|of|and|day|weekday|weekend|(?:sun|mon|tues|wednes|thurs|fri|satur)day|minutes?|hours?|month|first|last|\d{1,3}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d{2})?(?:am|pm)?|am|pm)$/;
const interval = /^every (?:(\d{1,3}) )?(minute|hour)s?$/;

/** The cron expression of what a person wrote: plain words of ours, or cron itself. What it is not is said in a sentence. */
export function cronOf(when: string): string {
  const text = when.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (text.startsWith('@') || /^[\d*?]/.test(text))
    return isOrdinal(text) ? wordsCron(text, when) : plainCron(text, when);
  return wordsCron(text, when);
}

function isOrdinal(text: string): boolean {
  return /^\d{1,2}(st|nd|rd|th) /.test(text);
}

function plainCron(text: string, when: string): string {
  if (nicknames.has(text)) return text;
  if (text.split(' ').length === 5) return text.toUpperCase();
  throw badTimes(`"${shown(when)}" is neither plain words nor cron with five fields. ${examples}`, {
    place: fieldCountPlace(when),
  });
}

function wordsCron(text: string, when: string): string {
  const every = interval.exec(text);
  if (every) return intervalCron({ count: Number(every[1] ?? 1), unit: every[2] ?? '' }, when);
  const ofMonth = dayOfMonth.exec(text);
  if (ofMonth) {
    const [, day = '', ...clock] = ofMonth;
    return `${clockFields(clock, when)} ${monthDay(day, when)} * *`;
  }
  const onDays = daysAtTime.exec(text);
  const days = onDays && weekDays(onDays[1] ?? '');
  if (onDays && days) return `${clockFields(onDays.slice(2), when)} * * ${days}`;
  if (/^every [a-z, ]+$/.test(text) && weekDays(text.slice('every '.length)))
    throw badTimes(`Say at what time, too: "${shown(when)} at 9:00".`, {
      place: { text: when, line: 1, column: when.trimEnd().length + 1 },
    });
  throw badTimes(`"${shown(when)}" says no times that are understood. ${examples}`, {
    place: oddWord(when, (word) => knownWord.test(word)),
  });
}

// Cron counts anew with every hour and every day, so only what divides them comes at even distances.
function intervalCron(
  { count, unit }: { readonly count: number; readonly unit: string },
  when: string,
): string {
  const [whole, larger] = unit === 'minute' ? [60, 'an hour'] : [24, 'a day'];
  if (count < 1 || count >= whole || whole % count !== 0) {
    const allowed = Array.from({ length: whole - 1 }, (_, index) => index + 1).filter(
      (each) => whole % each === 0,
    );
    throw badTimes(
      `Every ${count} ${unit}s does not divide ${larger} evenly. Choose one of ${allowed.join(', ')}.`,
      { place: wordLike(when, /^\d/) },
    );
  }
  const step = count === 1 ? '*' : `*/${count}`;
  return unit === 'minute' ? `${step} * * * *` : `0 ${step} * * *`;
}

function monthDay(day: string, when: string): string {
  if (day === 'first') return '1';
  if (day === 'last') return 'L';
  const number = Number.parseInt(day, 10);
  if (number >= 1 && number <= 31) return String(number);
  throw badTimes(`No month has a day ${number}.`, { place: wordLike(when, /^\d+(?:st|nd|rd|th)$/i) });
}

/** Days of the week as cron has them; undefined where a word names none. */
function weekDays(text: string): string | undefined {
  if (text === 'day') return '*';
  if (text === 'weekday') return '1-5';
  if (text === 'weekend') return '0,6';
  const words = text.split(/,? and |, ?| /);
  if (!words.every((word) => Object.hasOwn(dayNumbers, word))) return undefined;
  const numbers = words.map((word) => dayNumbers[word] ?? 0);
  return [...new Set(numbers)].toSorted((one, other) => one - other).join(',');
}

function clockFields(
  [hours = '', minutes = '0', half]: readonly (string | undefined)[],
  when: string,
): string {
  const [hour, minute] = [Number(hours), Number(minutes)];
  const isHalf = half !== undefined;
  const isClock = minute < 60 && (isHalf ? hour >= 1 && hour <= 12 : hour < 24);
  if (!isClock) {
    const said = `${hours}:${String(minute).padStart(2, '0')}${isHalf ? ` ${half}` : ''}`;
    throw badTimes(`${said} is no time of day. Write it as 7:00, 18:30 or 6:30 pm.`, {
      place: wordLike(when, /^\d{1,2}(?::\d{2})?(?:am|pm)?$/i),
    });
  }
  return `${minute} ${isHalf ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour}`;
}

function shown(when: string): string {
  return when.trim().slice(0, 60);
}
