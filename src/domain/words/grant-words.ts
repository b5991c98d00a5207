import type { PromptAction } from '../../protocol/prompt.js';
import { actionWords } from './action-words.js';

/**
 * The rule that "always, in this thread" makes, as a sentence, to be read before it is made. It says no more than the rule
 * does (domain/prompts/thread-grant.ts): the same tool with the same input, to the last character.
 */
export function grantWords(action: Pick<PromptAction, 'tool' | 'input'>, folder?: string): string {
  const { words } = actionWords(action, folder);
  const free =
    action.tool === 'Bash' && 'description' in action.input ? ' Only its description may differ.' : '';
  return `Always makes this rule: in this thread the agent may ${words} without asking, with exactly the input that you see and no other.${free}`;
}
