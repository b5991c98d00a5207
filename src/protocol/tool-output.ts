import * as z from 'zod';
import { cutText } from './cut-text.js';

/** How much of a tool's output an event shows, in characters. */
const previewLength = 500;
/** The most that a runner hands over of it. */
export const longestToolOutput = 4 * 2 ** 20;
/** What a worker keeps of it where nobody says otherwise. */
export const defaultToolOutputLimit = 2 ** 20;
/** The largest part of it that is read at once: as JSON, six bytes for each character at most, it is within a page. */
export const largestOutputPart = 2 ** 18;

/** What the end of a tool says of its output: all of it, or a preview, its length, and the whole on its way to a worker. */
export interface ToolOutputFields {
  readonly summary: string;
  readonly outputLength?: number;
  readonly output?: string;
}

export function toolOutput(text: string): ToolOutputFields {
  if (text.length <= previewLength) return { summary: text };
  return {
    summary: `${cutText(text, previewLength)}…`,
    outputLength: text.length,
    output: cutText(text, longestToolOutput),
  };
}

/** A part of what was kept of a tool's output. */
export const ToolOutputPart = z.object({
  text: z.string(),
  length: z.int().nonnegative().describe('How many characters were kept in all.'),
  next: z.int().optional().describe('The `after` of the next part; missing on the last one.'),
});
export type ToolOutputPart = z.infer<typeof ToolOutputPart>;

/** The part of a text that begins after so many characters. */
export function outputPart(
  text: string,
  range: { readonly after: number; readonly limit: number },
): ToolOutputPart {
  const rest = text.slice(range.after);
  const limit = Math.min(range.limit, largestOutputPart);
  // Half a surrogate pair is left for the next part; alone in its part, it is given.
  const part = cutText(rest, limit) || rest.slice(0, limit);
  const end = range.after + part.length;
  return { text: part, length: text.length, ...(end < text.length ? { next: end } : {}) };
}
