import { isSnoozed } from '../domain/thread/snooze.js';
import type { Prompt } from '../protocol/prompt.js';
import { type Overview, openPrompts } from './overview.js';

/** Open prompts, the oldest first, by whether their thread is put off. */
export function promptsByRest(
  overview: Overview,
  now: number,
): { readonly awake: Prompt[]; readonly snoozed: Prompt[] } {
  const isResting = ({ threadId }: Prompt) => {
    const thread = overview.threads.get(threadId);
    return thread !== undefined && isSnoozed(thread, now);
  };
  const open = openPrompts(overview);
  return { awake: open.filter((prompt) => !isResting(prompt)), snoozed: open.filter(isResting) };
}
