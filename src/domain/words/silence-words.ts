import type { Prompt, UnansweredPolicy } from '../../protocol/prompt.js';
import { askingServer } from '../prompts/thread-prompt.js';
import { until } from './age.js';
import { plainLine } from './plain-text.js';

/** What happens to a prompt that nobody answers in time, as it follows "then". */
const silenceWords = {
  wait: 'it keeps waiting',
  deny: 'the agent is told that nobody answered',
  default_option: 'the first option is taken',
  fail: 'the work fails',
} as const satisfies Record<UnansweredPolicy, string>;

/** Until when somebody can answer an open prompt, and what happens then; empty where it just waits. */
export function deadlineWords(
  prompt: Pick<Prompt, 'deadline' | 'onUnanswered' | 'questions'>,
  now: number,
): string {
  const { deadline, onUnanswered } = prompt;
  if (deadline === undefined) return '';
  const server = askingServer(prompt);
  if (server === undefined || onUnanswered !== 'wait')
    return `${until(deadline, now)}, then ${silenceWords[onUnanswered]}`;
  // Nobody is told how long a server waits, so that nothing is certain after the usual time.
  const name = plainLine(server, { maxLength: 100 });
  return Date.parse(deadline) <= now
    ? `the MCP server ${name} may have stopped waiting`
    : `${until(deadline, now)}, then the MCP server ${name} may stop waiting`;
}
