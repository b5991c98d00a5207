import type { RuntimeName } from '../../protocol/posture.js';
import type { Prompt } from '../../protocol/prompt.js';
import { seenFolder } from '../container/seen-folder.js';
import { planTool } from '../prompts/plan-action.js';
import { askingServer } from '../prompts/thread-prompt.js';
import { actionWords } from './action-words.js';
import { agentName } from './agent-name.js';
import { plainLine } from './plain-text.js';

/** What is asked, as far as words need it. */
export type PromptContent = Pick<Prompt, 'kind' | 'questions' | 'action'>;

/** Who asks: the thread of the prompt, or less where less is known. */
export interface Asker {
  readonly runtime?: RuntimeName | undefined;
  readonly workspace?: { readonly path: string } | undefined;
  readonly container?: object | undefined;
}

/** What an agent asks, on one line: "Claude asks to edit src/cart.js", "Claude asks: Which tone?". */
export function askWords(asked: PromptContent, asker: Asker | undefined): string {
  const { kind, questions, action } = asked;
  const server = askingServer(asked);
  const isOwn = questions.some(({ byWorker }) => byWorker);
  const itself = isOwn ? 'Handraise' : agentName(asker?.runtime);
  const agent = server === undefined ? itself : `The MCP server ${plainLine(server)}`;
  if (kind === 'approval' && action) {
    if (action.tool === planTool) return `${agent} asks you to approve its plan`;
    return `${agent} asks to ${actionWords(action, seenFolder(asker)).words}`;
  }
  const [first, ...more] = questions;
  if (more.length > 0) return `${agent} asks ${questions.length} questions`;
  return `${agent} asks: ${plainLine(first?.question ?? '')}`;
}
