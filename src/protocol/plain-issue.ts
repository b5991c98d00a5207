import type * as z from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const kindWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'names with values',
  record: 'names with values',
};

/** What is wrong with a field that a person wrote, for `safeParse(value, { error: plainIssue })`; what a schema says itself stays. */
export function plainIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map(String))}`;
    case 'invalid_union':
      return unionWords(issue.errors);
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'too_small':
      return boundWords(
        issue.origin,
        Number(issue.minimum),
        issue.inclusive === false ? 'more than' : 'at least',
      );
    case 'too_big':
      return boundWords(
        issue.origin,
        Number(issue.maximum),
        issue.inclusive === false ? 'less than' : 'at most',
      );
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-01-31T07:00:00Z' : undefined;
    default:
      return undefined;
  }
}

/** A sentence of it, which names the field. */
export function issueSentence(field: string, message: string | undefined): string {
  const words = `${field}: ${message ?? 'it cannot be read'}`;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function boundWords(origin: string, bound: number, how: string): string {
  const amount = `${how} ${bound.toLocaleString('en')}`;
  if (origin === 'string' && bound === 1) return 'must not be empty';
  if (origin === 'string') return `must have ${amount} characters`;
  if (origin === 'array') return `must have ${amount} ${bound === 1 ? 'entry' : 'entries'}`;
  return `must be ${amount}`;
}

/** Where a value is of none of the kinds that it may have, those kinds; else nothing is known that is true of all. */
function unionWords(branches: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const kinds = branches.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? kindOf(issue.expected) : null,
  );
  const known = kinds.filter((kind) => kind !== null);
  return known.length === kinds.length && known.length > 0
    ? `must be ${oneOf([...new Set(known)])}`
    : undefined;
}

function kindOf(expected: string): string {
  return kindWords[expected] ?? expected;
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
