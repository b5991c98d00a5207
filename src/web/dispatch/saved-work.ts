import * as z from 'zod';
import { keysOf } from '../../protocol/keys.js';
import { ToolPreset } from '../../protocol/posture.js';
import { KeptByName } from '../parts/kept-by-name.js';
import { freedoms } from './work-form.js';
import type { WorkForm } from './work-words.js';

/** Work that is given more than once: its text and what was chosen beside it; attachments, containers and times are of the one time. */
const SavedWork = z.object({
  name: z.string(),
  text: z.string().max(100_000),
  folder: z.string(),
  runtime: z.string(),
  freedom: z.enum(keysOf(freedoms)),
  model: z.string(),
  tools: ToolPreset,
  command: z.string(),
  skill: z.string(),
  budget: z.string(),
  worktree: z.boolean(),
});
export type SavedWork = z.infer<typeof SavedWork>;

export const savedWork = new KeptByName('handraise-saved-work', SavedWork);

/** What of a form is saved under a name, or why it cannot be. */
export function savedOf(form: WorkForm, name: string): SavedWork | string {
  if (form.text.trim() === '') return 'Describe the work first.';
  return SavedWork.safeParse({ ...form, name }).data ?? 'The text is too long to be saved.';
}

/** A place in a text that is to be filled in, such as {{ticket}}. */
export interface Blank {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** The first blank of a text. */
export function firstBlank(text: string): Blank | undefined {
  const found = /\{\{[^{}\n]{1,60}\}\}/.exec(text);
  return found ? { start: found.index, end: found.index + found[0].length, words: found[0] } : undefined;
}
