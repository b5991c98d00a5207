import type { ApprovalDecision, PromptActor } from '../../protocol/prompt.js';
import { autonomousDecision, type ThreadPermissions } from './autonomous-decision.js';
import { grantText, type ThreadGrant } from './thread-grant.js';
import { askingServer, type ThreadPrompt } from './thread-prompt.js';

/** What a thread decides without asking a person. */
export interface ThreadPolicies extends ThreadPermissions {
  /** Approvals that hold for the whole thread. */
  readonly grants: readonly ThreadGrant[];
}

/** What decides in place of a person, and how; null where a person is asked. */
export function policyDecision(
  prompt: ThreadPrompt,
  thread: ThreadPolicies,
  sha256: (text: string) => string,
): { readonly actor: PromptActor; readonly decision: ApprovalDecision } | null {
  const { kind, action } = prompt;
  // What a server asks of a person is no action of the agent, and no policy has seen it.
  if (askingServer(prompt) !== undefined) return null;
  const autonomous = autonomousDecision({ kind, action }, thread);
  if (autonomous) return { actor: 'policy:autonomous', decision: autonomous };
  if (kind !== 'approval' || !action) return null;
  const key = sha256(grantText(action));
  const isGranted = thread.grants.some((grant) => grant.key === key);
  return isGranted ? { actor: 'policy:grant', decision: { approved: true } } : null;
}
