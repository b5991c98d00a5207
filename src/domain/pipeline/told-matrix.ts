import { PipelineWord } from '../../protocol/pipeline-file.js';
import { plainText } from '../words/plain-text.js';
import { matrixVariable } from './matrix-variable.js';

const longestValue = 500;
const mostNames = 20;

/** Names with values, in one combination after the other. */
export type Combination = Readonly<Record<string, string>>;

/** What the text for a whole matrix comes to; the combinations of a grid are not made before they are counted. */
export type ToldMatrix =
  | { readonly kind: 'grid'; readonly axes: readonly (readonly [name: string, values: readonly string[]])[] }
  | { readonly kind: 'rows'; readonly rows: readonly Combination[] };

/** The values of a list in JSON; a sentence where it is none. The text is anybody's. */
export function toldValues(text: string): readonly string[] | string {
  const read = readJson(text, 'a list such as ["unit","browser"]');
  if ('problem' in read) return read.problem;
  return Array.isArray(read.json)
    ? valuesOf(read.json, 'the list')
    : 'The JSON is not a list such as ["unit","browser"].';
}

/** A whole matrix in JSON, in the two forms of GitHub Actions; a sentence where it is none. The text is anybody's. */
export function toldMatrix(text: string): ToldMatrix | string {
  const read = readJson(text, 'a matrix such as {"suite":["unit","browser"]}');
  if ('problem' in read) return read.problem;
  if (!isObject(read.json)) return 'The JSON is not a matrix such as {"suite":["unit","browser"]}.';
  const { include, ...lists } = read.json;
  if ('exclude' in lists) return 'exclude is not known here: leave out what should not run.';
  if (include === undefined) return gridOf(lists);
  if (Object.keys(lists).length > 0)
    return 'The matrix has lists of values and include; give one of them, because include stands for whole combinations here.';
  return rowsOf(include);
}

function gridOf(lists: Readonly<Record<string, unknown>>): ToldMatrix | string {
  const problem = problemWithNames(Object.keys(lists));
  if (problem !== null) return problem;
  const axes: (readonly [string, readonly string[]])[] = [];
  for (const [name, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) return `${name} is not a list of values.`;
    const values = valuesOf(list, name);
    if (typeof values === 'string') return values;
    axes.push([name, values]);
  }
  return { kind: 'grid', axes };
}

function rowsOf(include: unknown): ToldMatrix | string {
  if (!Array.isArray(include)) return 'include is not a list such as [{"suite":"unit"},{"suite":"browser"}].';
  const rows: Combination[] = [];
  for (const [index, row] of include.entries()) {
    const which = `Combination ${index + 1} of include`;
    if (!isObject(row)) return `${which} is not an object such as {"suite":"unit"}.`;
    const problem = problemWithNames(Object.keys(row));
    if (problem !== null) return `${which}: ${problem}`;
    const entries = Object.entries(row);
    for (const [name, value] of entries) {
      const wrong = problemWith(value);
      if (wrong !== null) return `${which}: ${name} ${wrong}.`;
    }
    rows.push(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])));
  }
  return { kind: 'rows', rows };
}

function readJson(text: string, what: string): { readonly json: unknown } | { readonly problem: string } {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return {
      problem:
        text.trim() === ''
          ? `There is no ${what.split(' ')[1]}: nothing was given for it.`
          : `The text is not JSON. It must be ${what}, of at most 8,000 characters.`,
    };
  }
}

function valuesOf(list: readonly unknown[], where: string): readonly string[] | string {
  const values: string[] = [];
  for (const [index, value] of list.entries()) {
    const problem = problemWith(value);
    if (problem !== null) return `Value ${index + 1} of ${where} ${problem}.`;
    values.push(String(value));
  }
  return values;
}

function problemWithNames(names: readonly string[]): string | null {
  if (names.length === 0) return 'There are no names in it; give at least one, with its values.';
  if (names.length > mostNames) return `There are ${names.length} names in it; ${mostNames} are the most.`;
  const odd = names.findIndex((name) => !PipelineWord.safeParse(name).success);
  // What the name is instead is not repeated: it may hold anything.
  if (odd !== -1)
    return `Name ${odd + 1} is not of letters, digits, "_" and "-", beginning with a letter, at most 64 of them.`;
  // They become variables, in which case and "-" are lost.
  const variables = names.map(matrixVariable);
  const twice = variables.findIndex((each, index) => variables.indexOf(each) !== index);
  return twice === -1 ? null : `Two names become the same variable, ${variables[twice]}.`;
}

function problemWith(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return null;
  if (typeof value !== 'string') return 'is not a text, a number, true or false';
  if (value.length > longestValue) return `is longer than ${longestValue} characters`;
  // Tabs and line breaks are plain text, and yet not seen in a title.
  return plainText(value) === value && !/\p{Cc}/u.test(value)
    ? null
    : 'holds hidden characters, a tab or a line break';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
