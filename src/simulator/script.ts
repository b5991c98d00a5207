import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { Reply } from './reply.js';

/** When a reply applies; everything that is given must hold. */
export const Condition = z.strictObject({
  prompt: z.string().optional().meta({ description: 'The prompt being worked on contains this text.' }),
  toolResult: z
    .string()
    .optional()
    .meta({ description: 'One of the newest tool results contains this text.' }),
  model: z.string().optional().meta({ description: 'The model asked for has exactly this name.' }),
  round: z.int().nonnegative().optional().meta({
    description: 'Rounds of tool results since the prompt; 0 when only prompt is given.',
  }),
  nth: z.int().positive().optional().meta({
    description: 'Only the nth request for which the rest holds, counted from 1.',
  }),
});
export type Condition = z.infer<typeof Condition>;

const ScriptedReply = Reply.extend({ when: Condition.optional() });
export type ScriptedReply = z.infer<typeof ScriptedReply>;

/** The replies of a simulated model: those with `when` apply by condition, the others are used up in order. */
export const Script = z.strictObject({ $schema: z.string().optional(), replies: z.array(ScriptedReply) });
export type Script = z.infer<typeof Script>;
export type ScriptInput = z.input<typeof Script>;

/** Checks a script and says where and why it is wrong. */
export function parseScript(input: unknown, source = 'script'): Script {
  const parsed = Script.safeParse(input);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(closest).map(({ path, message }) => `${pathOf(path)}: ${message}`);
  throw new Failure('invalid', `${source}: ${reasons.join('; ')}`);
}

/** The JSON Schema of a script file, for editors. */
export function scriptJsonSchema(): object {
  return { title: 'Handraise simulator script', ...z.toJSONSchema(Script, { io: 'input' }) };
}

type Issue = z.core.$ZodIssue;

// A union reports every branch that failed; the one with the fewest complaints is what the author meant.
function closest(issue: Issue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const [best, second] = issue.errors.toSorted((a, b) => a.length - b.length);
  const first = best?.[0];
  if (!first || best?.length === second?.length) {
    return { path: issue.path, message: 'expected one of text, think, tool or ask' };
  }
  return { path: [...issue.path, ...first.path], message: first.message };
}

function pathOf(path: PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '') || '(top level)';
}
