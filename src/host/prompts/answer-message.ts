import { scriptsProposalTool } from '../../domain/prompts/scripts-proposal.js';
import {
  askingServer,
  decisionIn,
  isConsent,
  type ThreadPrompt,
} from '../../domain/prompts/thread-prompt.js';
import { nameUuid } from '../../process/name-uuid.js';
import type { PromptId } from '../../protocol/id.js';

/** The message that carries the answer to a prompt, where no request waits for it. */
export function answerUuid(promptId: PromptId): string {
  return nameUuid(`answer ${promptId}`, 8);
}

/** An answer in words, for an agent that is not waiting inside a tool call any more. */
export function answerMessage(prompt: ThreadPrompt): string {
  if (prompt.carry !== undefined) return givenBack(prompt);
  const server = askingServer(prompt);
  if (server !== undefined) return calledAgain(server);
  if (prompt.action?.tool === scriptsProposalTool && isConsent(prompt)) return proposedAgain;
  if (prompt.kind === 'approval') return decided(prompt);
  const answers = (prompt.answers ?? []).map(
    ({ question, answer }) => `Question: ${question}\nAnswer: ${answer.join(', ')}`,
  );
  return `Here is the answer to your question.\n\n${answers.join('\n\n')}\n\nContinue your work.`;
}

/** A server asks inside a call, and the answer goes into a call; it is used as soon as the same is asked again. */
function calledAgain(server: string): string {
  return (
    `Your call of a tool of the MCP server ${server} was cut off while the server asked the user something. ` +
    'The answer is there now. If you still need the result, call the same tool again with the same input: the server ' +
    'asks again and gets the answer. What the first call did before it was cut off is unknown, so look first where ' +
    'doing it twice would do harm.\n\nContinue your work.'
  );
}

/** The file is saved by the tool and not by the agent, and the tool finds the approval when the same is proposed again. */
const proposedAgain =
  'Your call of propose_scripts_config was cut off while the user read the proposal. It is approved now, and nothing is ' +
  'saved yet. Call propose_scripts_config again with the same input: the file is saved without another question. Do not ' +
  'write the file yourself.\n\nContinue your work.';

/** A question that was left in a file goes back as it was left. */
function givenBack({ carry, answers = [] }: ThreadPrompt): string {
  const [given] = answers;
  const json = JSON.stringify({ ...asObject(carry), answer: given?.answer.join(', ') ?? '' }, undefined, 2);
  return `Your question in .agora/needs_input.json was answered:\n\n${json}\n\nContinue your work.`;
}

/** What was decided about an action; whoever repeats it exactly is not asked again. */
function decided(prompt: ThreadPrompt): string {
  const { action } = prompt;
  const { message: words, updatedInput } = decisionIn(prompt) ?? {};
  const what = action ? `${action.tool} with ${JSON.stringify(action.input)}` : 'what you asked for';
  const verdict = `You asked to use ${what}. ${verdictOn(action, isConsent(prompt), updatedInput)}`;
  return `${verdict}${words === undefined ? '' : ` The answer says: ${words}`}\n\nContinue your work.`;
}

function verdictOn(
  action: ThreadPrompt['action'],
  isApproved: boolean,
  edited: Record<string, unknown> | undefined,
): string {
  if (!isApproved) return 'It was not approved. Do not do it.';
  if (!action || !edited) return 'It is approved, exactly so and once: do it now.';
  return `Not that, but this is approved in its place, exactly so and once: ${action.tool} with ${JSON.stringify(edited)}. Do it now.`;
}

/** What an agent left with its question, as fields. */
export function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
