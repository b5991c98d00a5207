import * as z from 'zod';
import { PromptId } from '../../protocol/id.js';
import { type ApprovalDecision, PromptActor } from '../../protocol/prompt.js';
import { isApprovedOnce } from './approved-once.js';
import { canonicalJson } from './fingerprint.js';
import type { ThreadPrompt } from './thread-prompt.js';

/** An approval for a thread: whatever is exactly the action of its prompt is not asked again. */
export const ThreadGrant = z.object({
  /** The prompt that was answered so. */
  promptId: PromptId,
  /** A hash of what is granted. */
  key: z.string(),
  actor: PromptActor,
  at: z.iso.datetime(),
});
export type ThreadGrant = z.infer<typeof ThreadGrant>;

/** An action that may be granted. */
export interface GrantedAction {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * What makes an action the same as a granted one; hosts hash it. The whole input counts, to the last character: a rule that
 * covers more would be consent to something nobody saw. What a command line is for, in the agent's own words, is no part
 * of what it does.
 */
export function grantText({ tool, input }: GrantedAction): string {
  const { description: _words, ...command } = input;
  return canonicalJson({ tool, input: tool === 'Bash' ? command : input });
}

/** What an answer grants for the rest of the thread; null when it is for once, or what is only ever approved once. */
export function grantedBy(
  { action }: Pick<ThreadPrompt, 'action'>,
  { approved, scope, updatedInput }: ApprovalDecision,
): GrantedAction | null {
  if (!approved || scope !== 'thread' || !action || isApprovedOnce(action)) return null;
  return { tool: action.tool, input: updatedInput ?? action.input };
}
