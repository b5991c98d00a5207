import * as z from 'zod';

/** Where an agent that cannot block leaves its question, relative to its workspace. */
export const needsInputPath = '.agora/needs_input.json';

/** Upper bound of `partial_state` as JSON, in bytes. */
export const partialStateLimit = 1_048_576;

/** The payload of the needs-input file. */
export const NeedsInputFile = z.object({
  question: z.string().refine((question) => question.trim() !== '', 'The question is blank.'),
  options: z.array(z.string()).optional(),
  context: z.string().optional(),
  partial_state: z
    .unknown()
    .optional()
    .refine(
      (state) => state === undefined || jsonBytes(state) <= partialStateLimit,
      'partial_state is larger than 1 MiB as JSON.',
    ),
});
export type NeedsInputFile = z.infer<typeof NeedsInputFile>;

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
