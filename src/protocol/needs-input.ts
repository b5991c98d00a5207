import * as z from 'zod';
import type { EventBody } from './event.js';
import { given } from './given.js';
import { deepestNesting, isShallow } from './nesting.js';
import { askingLimits } from './question.js';

/** Where an agent that cannot block leaves its question, relative to its workspace. */
export const needsInputPath = '.agora/needs_input.json';

/** The skill that teaches Claude Code to ask so; it is in the workspace for the time of a run. */
export const needsInputSkillPath = '.claude/skills/agora-needs-input/SKILL.md';

/** The variable that, set to "true", leaves agents untaught; the file counts all the same. */
export const noHelperVariable = 'AGORA_DISABLE_NEEDS_INPUT_HELPER';

/** Upper bound of `partial_state` as JSON, in bytes. */
export const partialStateLimit = 1_048_576;

/** How much of a needs-input file is read: its partial_state may be indented, and a question is there besides. */
export const needsInputFileLimit: number = 4 * partialStateLimit;

/** The payload of the needs-input file. */
export const NeedsInputFile = z.object({
  question: short('question', askingLimits.questionLength).refine(isNotBlank, 'The question is blank.'),
  options: z
    .array(short('option', askingLimits.labelLength).refine(isNotBlank, 'An option is blank.'))
    .max(askingLimits.options, `There are more than ${askingLimits.options} options.`)
    .optional(),
  context: short('context', askingLimits.contextLength).optional(),
  partial_state: z
    .unknown()
    .optional()
    .refine(isShallow, {
      error: `partial_state is nested deeper than ${deepestNesting} levels.`,
      abort: true,
    })
    .refine(
      (state) => state === undefined || jsonBytes(state) <= partialStateLimit,
      'partial_state is larger than 1 MiB as JSON.',
    ),
});
export type NeedsInputFile = z.infer<typeof NeedsInputFile>;

/** What a needs-input file holds, or why nothing could be read from it. */
export type NeedsInputText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string };

/** The one rule that reads the file, for every runtime: a question, or an account of why it is none. */
export function readNeedsInput(file: NeedsInputText): EventBody<'needs_input'> {
  if (!file.ok) return problem(file.error);
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch {
    return problem('it is not valid JSON');
  }
  const parsed = NeedsInputFile.safeParse(value);
  if (!parsed.success) return problem(parsed.error.issues.map(wordsOf).join('; '));
  const { question, options, context, partial_state: partialState } = parsed.data;
  return {
    type: 'needs_input',
    question,
    ...given({ options, context, partialState }),
  };
}

function short(what: string, limit: number): z.ZodString {
  // In words only when it is said: the first number that is written for people costs every program 20 ms of its start.
  const error = () => `The ${what} is longer than ${limit.toLocaleString('en-US')} characters.`;
  return z.string().max(limit, { error });
}

function isNotBlank(text: string): boolean {
  return text.trim() !== '';
}

function problem(what: string): EventBody<'needs_input'> {
  return { type: 'needs_input', error: `The needs-input file is not valid: ${what.replace(/\.$/, '')}.` };
}

function wordsOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
