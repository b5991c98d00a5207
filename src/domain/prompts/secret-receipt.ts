import type { PromptId } from '../../protocol/id.js';
import { PromptActor } from '../../protocol/prompt.js';

/** The id of the command that brings a secret answer; its receipt says whose it was, so that nobody has to remember. */
export function secretCommandId(promptId: PromptId, actor: PromptActor): string {
  return `${prefixOf(promptId)}${actor}`;
}

/** Who gave the secret answer that a receipt is about; nothing where it is about another command. */
export function secretGiver(promptId: PromptId, commandId: string): PromptActor | undefined {
  const prefix = prefixOf(promptId);
  return commandId.startsWith(prefix)
    ? PromptActor.safeParse(commandId.slice(prefix.length)).data
    : undefined;
}

function prefixOf(promptId: PromptId): string {
  return `secret-${promptId}-by-`;
}
