import { createHash } from 'node:crypto';
import type { PromptId } from '../protocol/id.js';
import type { StoredPrompt } from '../store/stored-prompt.js';

/** A uuid that is the same for the same words, so that what is sent again after a crash is known to be the same. */
export function uuidOf(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The message that carries the answer to a prompt, where no request waits for it. */
export function answerUuid(promptId: PromptId): string {
  return uuidOf(`answer ${promptId}`);
}

/** An answer in words, for an agent that is not waiting inside a tool call any more. */
export function answerMessage(prompt: StoredPrompt): string {
  if (prompt.carry !== undefined) return givenBack(prompt);
  if (prompt.kind === 'approval') return decided(prompt);
  const answers = (prompt.answers ?? []).map(
    ({ question, answer }) => `Question: ${question}\nAnswer: ${answer.join(', ')}`,
  );
  return `You asked, and here is the answer.\n\n${answers.join('\n\n')}\n\nGo on with your work.`;
}

/** A question that was left in a file goes back as it was left. */
function givenBack({ carry, answers = [] }: StoredPrompt): string {
  const [given] = answers;
  const json = JSON.stringify({ ...asObject(carry), answer: given?.answer.join(', ') ?? '' }, undefined, 2);
  return `Your question in .agora/needs_input.json was answered:\n\n${json}\n\nGo on with your work.`;
}

/** What was decided about an action; whoever repeats it exactly is not asked again. */
function decided({ action, answers = [], answer }: StoredPrompt): string {
  const isApproved = answers.some((each) => each.answer.includes('Approve'));
  const words = answer && 'decision' in answer ? answer.decision.message : undefined;
  const what = action ? `${action.tool} with ${JSON.stringify(action.input)}` : 'what you asked for';
  const verdict = isApproved
    ? `You asked to use ${what}. It is approved, exactly so and once: do it now.`
    : `You asked to use ${what}. It was not approved. Do not do it.`;
  return `${verdict}${words === undefined ? '' : ` The answer says: ${words}`}\n\nGo on with your work.`;
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
