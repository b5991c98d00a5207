import * as z from 'zod';
import { PromptId, ThreadId } from './id.js';
import { Answer, PromptActor } from './prompt.js';

/** The most precedents that are shown with a prompt. */
export const mostPrecedents = 5;

/** What a person answered earlier, in the same project, to the same prompt or to one like it. */
export const Precedent = z.object({
  promptId: PromptId,
  threadId: ThreadId,
  likeness: z
    .enum(['same', 'similar'])
    .describe(
      'Asked in the same words or about the same action; or like it: other numbers, or the same tool on the same kind of path.',
    ),
  asked: z.string().describe('What was asked, on one line.'),
  answered: z.string().describe('What was answered, on one line.'),
  answer: Answer.optional().describe(
    'The body that gives this prompt the same answer; missing where the answer does not fit it.',
  ),
  actor: PromptActor,
  at: z.iso.datetime(),
});
export type Precedent = z.infer<typeof Precedent>;

export const PrecedentList = z.object({ precedents: z.array(Precedent).max(mostPrecedents) });
