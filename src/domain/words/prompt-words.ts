import type { Prompt } from '../../protocol/prompt.js';
import { seenFolder } from '../container/seen-folder.js';
import { planTool } from '../prompts/plan-action.js';
import { actionWords } from './action-words.js';
import type { Asker, PromptContent } from './ask-words.js';
import { plainLine } from './plain-text.js';

/** What kind of prompt it is, in one word. */
export function promptKind({ kind, action, questions }: PromptContent): string {
  // Only the worker's own: an agent may call its question what it likes.
  if (questions.some(({ byWorker, header }) => byWorker && header === 'Budget')) return 'Budget';
  if (action?.tool === planTool) return 'Plan';
  return kind === 'approval' ? 'Approval' : 'Question';
}

/** What a prompt is about, on one line: the action itself where there is one. */
export function promptWords({ kind, action, questions }: Prompt, asker: Asker | undefined): string {
  if (kind === 'approval' && action && action.tool !== planTool) {
    const { words } = actionWords(action, seenFolder(asker));
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
  return plainLine(questions.map(({ question }) => question).join(' · '));
}
