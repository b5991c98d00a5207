import * as z from 'zod';
import type { EventBody } from './event.js';

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

// Whatever copies or writes JSON calls itself once per level, and ends with its stack.
const deepest = 500;

/** The payload of the needs-input file. */
export const NeedsInputFile = z.object({
  question: z.string().refine((question) => question.trim() !== '', 'The question is blank.'),
  options: z.array(z.string()).optional(),
  context: z.string().optional(),
  partial_state: z
    .unknown()
    .optional()
    .refine(isShallow, { error: `partial_state is nested deeper than ${deepest} levels.`, abort: true })
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
    return problem('it is not JSON that can be read');
  }
  const parsed = NeedsInputFile.safeParse(value);
  if (!parsed.success) return problem(parsed.error.issues.map(wordsOf).join('; '));
  const { question, options, context, partial_state: partialState } = parsed.data;
  return {
    type: 'needs_input',
    question,
    ...(options === undefined ? {} : { options }),
    ...(context === undefined ? {} : { context }),
    ...(partialState === undefined ? {} : { partialState }),
  };
}

function problem(what: string): EventBody<'needs_input'> {
  return { type: 'needs_input', error: `The needs-input file does not count: ${what.replace(/\.$/, '')}.` };
}

function wordsOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return false;
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return true;
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
