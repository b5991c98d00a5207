import { Cron } from 'croner';
import { PlacedFailure, type TextPlace } from '../../protocol/placed-failure.js';

const fieldCount = 5;
const dayOfMonth = 2;

/** What a person wrote as times cannot be used; the place in it is named. */
export function badTimes(
  sentence: string,
  { place, cause }: { readonly place: TextPlace; readonly cause?: unknown },
): PlacedFailure {
  return new PlacedFailure('invalid', { where: 'The times', sentence }, { place, cause });
}

/** The first field of a cron expression that cannot be read by itself. */
export function badField(when: string): TextPlace {
  const fields = fieldsIn(when);
  const bad = fields.findIndex(({ text }, index) => fields.length === fieldCount && !isReadable(text, index));
  return placeOf(when, fields[bad]);
}

/** The day of the month of a cron expression. */
export function dayField(when: string): TextPlace {
  const fields = fieldsIn(when);
  return placeOf(when, fields.length === fieldCount ? fields[dayOfMonth] : undefined);
}

/** Where there is a field too many, or where one is missing. */
export function fieldCountPlace(when: string): TextPlace {
  const extra = fieldsIn(when)[fieldCount];
  return extra ? placeOf(when, extra) : { text: when, line: 1, column: when.trimEnd().length + 1 };
}

/** The first word that is not one of those known; the beginning where every word is. */
export function oddWord(when: string, isKnown: (word: string) => boolean): TextPlace {
  return placeOf(
    when,
    fieldsIn(when).find(({ text }) => !isKnown(text.toLowerCase().replace(/,$/, ''))),
  );
}

/** The first word that looks so; the beginning where none does. */
export function wordLike(when: string, looks: RegExp): TextPlace {
  return placeOf(
    when,
    fieldsIn(when).find(({ text }) => looks.test(text)),
  );
}

interface Field {
  readonly text: string;
  readonly at: number;
}

function fieldsIn(when: string): Field[] {
  return Array.from(when.matchAll(/\S+/g), ({ 0: text, index }) => ({ text, at: index }));
}

function placeOf(when: string, field: Field | undefined): TextPlace {
  const at = field?.at ?? when.length - when.trimStart().length;
  return { text: when, line: 1, column: at + 1, ...(field && { length: field.text.length }) };
}

function isReadable(field: string, index: number): boolean {
  const pattern = Array.from({ length: fieldCount }, (_, each) =>
    each === index ? field.toUpperCase() : '*',
  );
  try {
    // It refuses what it cannot read.
    new Cron(pattern.join(' '), { paused: true }).stop();
    return true;
  } catch {
    return false;
  }
}
