import * as z from 'zod';
import { given } from '../../protocol/given.js';
import type { Question } from '../../protocol/question.js';

const asked = z.looseObject({
  questions: z.array(
    z.looseObject({
      question: z.string(),
      header: z.string().optional(),
      multiSelect: z.boolean().optional(),
      options: z
        .array(
          z.looseObject({
            label: z.string(),
            description: z.string().optional(),
            preview: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
});

/** The questions in an AskUserQuestion call, in our words; empty when it holds none that can be read. */
export function claudeQuestions(input: unknown): Question[] {
  const parsed = asked.safeParse(input);
  if (!parsed.success) return [];
  return parsed.data.questions.map(({ question, header, multiSelect, options }) => ({
    question,
    ...given({ header }),
    multiSelect: multiSelect ?? false,
    options: (options ?? []).map(({ label, description, preview }) => ({
      label,
      ...given({ description, preview }),
    })),
  }));
}
