// Which threads a list shows, as the API and the command line take it.
import * as z from 'zod';
import { DispatchState } from './dispatch.js';
import { ThreadId } from './id.js';
import { Outcome } from './outcome.js';

/** Where work stands: its state, or of what has ended how it ended. */
export const WorkStanding = z.enum([...DispatchState.options, ...Outcome.shape.result.options]);
export type WorkStanding = z.infer<typeof WorkStanding>;

/** A standing as a state or a result. */
export function standingFilter(
  standing: WorkStanding,
): { readonly state: DispatchState } | { readonly result: Outcome['result'] } {
  const state = DispatchState.safeParse(standing);
  return state.success ? { state: state.data } : { result: Outcome.shape.result.parse(standing) };
}

/** A label as it is asked for: `key`, or `key=value`. */
export const LabelText = z.string().min(1).max(1101);

/** A label's name, and its value where one was given. */
export function labelFilter(text: string): { readonly key: string; readonly value?: string } {
  const place = text.indexOf('=');
  return place < 0 ? { key: text } : { key: text.slice(0, place), value: text.slice(place + 1) };
}

/** Where in a thread the words of a search stand: in an event, or in its title or name. */
export const ThreadMatch = z.object({
  threadId: ThreadId,
  seq: z.int().positive().optional().describe('The newest event with these words; missing for a title.'),
  excerpt: z.string(),
});
export type ThreadMatch = z.infer<typeof ThreadMatch>;
