import type { Prompt, PromptAction } from '../../protocol/prompt.js';
import { hiddenCharacters } from '../words/marked-text.js';
import { planTool } from './plan-action.js';
import { scriptsProposalTool } from './scripts-proposal.js';

const mostCharacters = 600;
const mostLines = 8;
const mostOptions = 9;

/**
 * Whether a prompt can be answered in a line of a list: one question, or an action that is shown there whole, to its last
 * character. A plan, previews, a secret and what hides characters have a page of their own.
 */
export function isShortPrompt({
  kind,
  action,
  questions,
}: Pick<Prompt, 'kind' | 'action' | 'questions'>): boolean {
  if (kind === 'approval' && action) return isShortAction(action);
  const [question, ...others] = questions;
  if (!question || others.length > 0 || question.isSecret) return false;
  const { options, context = '' } = question;
  const shown = options.map(({ label, description = '' }) => [label, description]);
  return (
    options.length <= mostOptions &&
    options.every(({ preview }) => preview === undefined) &&
    isShort([question.question, context, shown])
  );
}

function isShortAction({ tool, input, reason }: PromptAction): boolean {
  if (tool === planTool || tool === scriptsProposalTool) return false;
  const shown = [input, reason];
  return isShort(shown) && hiddenCharacters(shown).size === 0;
}

/** Of few characters and lines. It stops where it is too much: an action may have megabytes, and a list has many. */
function isShort(value: unknown): boolean {
  let characters = mostCharacters;
  let lines = mostLines;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part === 'object' && part !== null) {
      const entries = Object.entries(part);
      if (entries.length > mostCharacters) return false;
      for (const [name, each] of entries) {
        characters -= Array.isArray(part) ? 0 : name.length;
        rest.push(each);
      }
    } else {
      const text = typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
      characters -= text.length;
      if (characters >= 0) lines -= text.split('\n').length - 1;
    }
    if (characters < 0 || lines < 0) return false;
  }
  return true;
}
