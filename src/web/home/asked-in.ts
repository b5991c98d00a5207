import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';

/** What a thread asks now, if that is known. */
export function askedIn({ status }: Thread, prompts: ReadonlyMap<PromptId, Prompt>): Prompt | undefined {
  return status.state === 'question' && status.promptId !== undefined
    ? prompts.get(status.promptId)
    : undefined;
}
