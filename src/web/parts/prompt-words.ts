import { plainLine } from '../../domain/plain-text.js';
import { toolWords } from '../../domain/tool-words.js';
import type { Prompt } from '../../protocol/prompt.js';

/** The action under which the host shows a plan. */
export const planTool = 'plan';

/** What kind of prompt it is, in one word. */
export function promptKind({ kind, action }: Prompt): string {
  if (action?.tool === planTool) return 'Plan';
  return kind === 'approval' ? 'Approval' : 'Question';
}

/** What a prompt is about, on one line: the action itself where there is one. */
export function promptWords({ kind, action, questions }: Prompt): string {
  if (kind === 'approval' && action && action.tool !== planTool) return toolWords(action.tool, action.input);
  return plainLine(questions.map(({ question }) => question).join(' · '));
}
