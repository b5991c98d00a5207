import * as z from 'zod';
import { PromptId, RuleId, ThreadId } from './id.js';
import { PromptActor, QuestionAnswer } from './prompt.js';
import { requestObject } from './request-object.js';

const instant = z.iso.datetime();

/** What a person calls a rule; the actor of its answers is `policy:` and this, `@` and the version. */
export const RuleName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);

/** How much of a workspace a rule about files covers: the one file, files of the same kind in the same folder, or all. */
export const RuleReach = z.enum(['file', 'kind', 'workspace']);
export type RuleReach = z.infer<typeof RuleReach>;

/** What a rule answers, and nothing else. */
export const RuleMatch = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('question'),
    same: z.string().describe('A hash of the wording and the options.'),
    question: z.string().describe('The wording, on one line.'),
  }),
  z.object({
    what: z.literal('command'),
    same: z.string().describe('A hash of the exact input that a person has decided about.'),
    command: z.string().describe('The command, on one line.'),
  }),
  z.object({
    what: z.enum(['read', 'edit']),
    reach: RuleReach,
    path: z.string().describe('Relative to the workspace: a file, `src/*.js` for a kind, `**` for all.'),
  }),
]);
export type RuleMatch = z.infer<typeof RuleMatch>;

/** What a rule says: the answers to the questions, or yes or no. */
export const RuleAnswer = z.union([
  z.object({ answers: z.array(QuestionAnswer) }),
  z.object({ decision: z.object({ approved: z.boolean(), message: z.string().optional() }) }),
]);
export type RuleAnswer = z.infer<typeof RuleAnswer>;

/** What a rule would have said to prompts that persons have answered. */
export const Backtest = z.object({
  at: instant,
  looked: z.int().describe('Prompts of the project that were looked at, the newest first.'),
  isWhole: z.boolean().describe('Whether those were all of them.'),
  agreed: z.int().describe('So many it would have answered as a person did.'),
  differed: z.int().describe('So many it would have answered otherwise.'),
  differences: z
    .array(z.object({ promptId: PromptId, threadId: ThreadId, asked: z.string(), answered: z.string() }))
    .describe('The newest of those, with what the person answered.'),
});
export type Backtest = z.infer<typeof Backtest>;

/** `tested` answers nothing yet, `on` answers, `withdrawn` answers never again. */
export const RuleState = z.enum(['tested', 'on', 'withdrawn']);
export type RuleState = z.infer<typeof RuleState>;

const step = z.object({ actor: PromptActor, at: instant });

/** One version of a rule. What it matches and says never changes: another version does. */
export const Rule = z.object({
  id: RuleId,
  name: RuleName,
  version: z.int().positive(),
  state: RuleState,
  project: z.string().describe('The folder whose threads it is for.'),
  match: RuleMatch,
  answer: RuleAnswer,
  words: z.string().describe('What it does, as a sentence.'),
  from: z.array(PromptId).describe('The answered prompts that it was made from.'),
  backtest: Backtest,
  made: step,
  switchedOn: step.optional(),
  withdrawn: step.optional(),
  used: z.int().describe('How many prompts it has answered.'),
  lastUsedAt: instant.optional(),
});
export type Rule = z.infer<typeof Rule>;

const mostRuleSources = 20;

export const RuleRequest = requestObject({
  name: RuleName.describe('A new name, or that of a rule that gets another version.'),
  from: z
    .array(PromptId)
    .min(1)
    .max(mostRuleSources)
    .describe('Prompts that a person has answered, all in the same way.'),
  reach: RuleReach.optional().describe('Only for reads and edits; `file` unless said.'),
});
export type RuleRequest = z.infer<typeof RuleRequest>;

export const SwitchRuleRequest = requestObject({
  differed: z
    .int()
    .min(0)
    .optional()
    .describe(
      'How many differences of the back-test whoever asks has seen and accepts; 0 unless said. The back-test is done again, and another number is refused.',
    ),
});
export type SwitchRuleRequest = z.infer<typeof SwitchRuleRequest>;
