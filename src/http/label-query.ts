import * as z from 'zod';
import { LabelText, labelFilter } from '../protocol/thread-query.js';

const mostLabels = 10;

/** Labels in the query of a list: one, or several. */
export const labelQuery = {
  label: z
    .union([LabelText, z.array(LabelText).max(mostLabels)])
    .optional()
    .describe('Only those whose work has this label, as key or key=value; repeat it for several.'),
};

/** The labels that were asked for. */
export function labelsOf(label: string | string[] | undefined): {
  readonly labels?: readonly ReturnType<typeof labelFilter>[];
} {
  return label === undefined ? {} : { labels: [label].flat().map(labelFilter) };
}
