import type { Colours } from '../terminal/colours.js';
import { pad } from '../terminal/fit.js';

/** What every card needs besides its noun. */
export interface CardContext {
  readonly now: number;
  readonly colours: Colours;
}

const labelWidth = 12;

/** Lines of a label and a value each; one without a value is left out, one of several lines is indented. */
export function cardLines(
  rows: readonly (readonly [string, string | undefined])[],
  colours: Colours,
): string[] {
  return rows.flatMap(([label, value]) => {
    if (value === undefined || value === '') return [];
    const [first = '', ...rest] = value.split('\n');
    const indent = ' '.repeat(labelWidth);
    return [`${colours.dim(pad(label, labelWidth))}${first}`, ...rest.map((line) => indent + line)];
  });
}
