import * as z from 'zod';

const length = z.int().nonnegative().optional();
const bound = z.number().optional();
const isOptional = z.boolean().optional().describe('It can be left empty: with no answer, or with `-`.');

/** What an answer has to be, where a program reads it and not every text will do. */
export const ExpectedAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    minLength: length,
    maxLength: length,
    format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
    isOptional,
  }),
  z.object({ type: z.enum(['number', 'integer']), minimum: bound, maximum: bound, isOptional }),
  /** One of the options, or several where several may be chosen; nothing else. */
  z.object({ type: z.literal('choice'), minItems: length, maxItems: length, isOptional }),
]);
export type ExpectedAnswer = z.infer<typeof ExpectedAnswer>;

/** A question, as far as it says what answers it. */
interface Expecting {
  readonly expects?: ExpectedAnswer | undefined;
  readonly multiSelect: boolean;
  readonly options: readonly { readonly label: string }[];
}

/** Why this cannot be the answer, as it follows the question; null when it can. */
export function unfitness({ expects, options }: Expecting, answer: readonly string[]): string | null {
  if (!expects) return null;
  if (isLeftEmpty(answer)) return expects.isOptional ? null : 'has no answer';
  if (expects.type === 'choice') return unfitChoice(expects, options, answer);
  const text = answer.join(', ');
  return expects.type === 'text' ? unfitText(expects, text) : unfitNumber(expects, text.trim());
}

/** Whether a field of a form is left empty with this. */
export function isLeftEmpty(answer: readonly string[]): boolean {
  return answer.every((each) => each.trim() === '' || each.trim() === '-');
}

/** The answer to one question as it was written on one line: the labels of what was chosen, or the text itself. */
export function answerParts({ options, multiSelect }: Expecting, text: string): string[] {
  if (!multiSelect) return [text];
  // The longest comes first, because a label may have commas of its own.
  const labels = options.map(({ label }) => label).toSorted((one, other) => other.length - one.length);
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const label = labels.find((each) => each !== '' && (rest === each || rest.startsWith(`${each}, `)));
    if (label === undefined) return [text];
    parts.push(label);
    rest = rest.slice(label.length + 2);
  }
  return parts;
}

/** What is expected, as a person reads it beside the question; empty where every text will do. */
export function expectationWords(expects: ExpectedAnswer): string {
  return [kindWords(expects), expects.isOptional ? 'Optional: answer - to leave it empty.' : '']
    .filter((words) => words !== '')
    .join(' ');
}

function kindWords(expects: ExpectedAnswer): string {
  switch (expects.type) {
    case 'choice':
      return expects.minItems === undefined && expects.maxItems === undefined
        ? ''
        : `Choose ${rangeWords(expects.minItems, expects.maxItems)}.`;
    case 'number':
    case 'integer':
      return `A ${numberWords(expects)}.`;
    case 'text':
      return [formatWords(expects.format), lengthWords(expects)].filter((words) => words !== '').join(' ');
    default:
      return expects satisfies never;
  }
}

type Expected<Type extends ExpectedAnswer['type']> = Extract<ExpectedAnswer, { type: Type }>;

function unfitChoice(
  { minItems = 0, maxItems = Infinity }: Expected<'choice'>,
  options: Expecting['options'],
  answer: readonly string[],
): string | null {
  const stray = answer.find((each) => !options.some(({ label }) => label === each));
  if (stray !== undefined) return `takes one of its options, and ${quoted(stray)} is none of them`;
  const isEnough = answer.length >= minItems && answer.length <= maxItems;
  return isEnough ? null : `takes ${rangeWords(minItems, maxItems)} of its options, not ${answer.length}`;
}

function unfitNumber(expects: Expected<'number' | 'integer'>, text: string): string | null {
  const { type, minimum = -Infinity, maximum = Infinity } = expects;
  const number = Number(text);
  const isNumber = Number.isFinite(number) && (type === 'number' || Number.isInteger(number));
  return isNumber && number >= minimum && number <= maximum
    ? null
    : `takes a ${numberWords(expects)}, and ${quoted(text)} is not one`;
}

function unfitText(expects: Expected<'text'>, text: string): string | null {
  const { minLength = 0, maxLength = Infinity, format } = expects;
  if (format !== undefined && !isOfFormat[format](text))
    return `takes ${formats[format]}, and ${quoted(text)} is not one`;
  const isFit = text.length >= minLength && text.length <= maxLength;
  return isFit ? null : `takes ${rangeWords(minLength, maxLength)} characters, not ${text.length}`;
}

const formats = {
  email: 'an email address',
  uri: 'a URL',
  date: 'a date like 2026-01-31',
  'date-time': 'a date and time like 2026-01-31T12:00:00Z',
} as const satisfies Record<NonNullable<Expected<'text'>['format']>, string>;

const isOfFormat: Record<keyof typeof formats, (text: string) => boolean> = {
  email: (text) => z.email().safeParse(text).success,
  uri: (text) => URL.canParse(text),
  date: (text) => z.iso.date().safeParse(text).success,
  'date-time': (text) => z.iso.datetime({ offset: true, local: true }).safeParse(text).success,
};

function formatWords(format: keyof typeof formats | undefined): string {
  return format === undefined ? '' : `${capital(formats[format])}.`;
}

function lengthWords({ minLength, maxLength }: Expected<'text'>): string {
  if (minLength === undefined && maxLength === undefined) return '';
  return `${capital(rangeWords(minLength, maxLength))} characters.`;
}

function numberWords({ type, minimum, maximum }: Expected<'number' | 'integer'>): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  return maximum === undefined ? kind : `${kind} of at most ${maximum}`;
}

function rangeWords(least = 0, most = Infinity): string {
  if (least === most) return `exactly ${least}`;
  if (most === Infinity) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
