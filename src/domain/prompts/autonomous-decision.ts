import type { PermissionMode } from '../../protocol/posture.js';
import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import { isEmptyPlan } from './asked-plan.js';
import { planTool } from './plan-action.js';

/** What a thread allows by itself. */
export interface ThreadPermissions {
  readonly permissions: 'approval' | 'autonomous';
  /** The mode that the thread was made with. */
  readonly launchMode: PermissionMode | undefined;
  /** The mode that its agent is in now, once it has changed. */
  readonly mode: PermissionMode | undefined;
}

/**
 * The decision of a thread where nobody wants to be asked, or null where a person decides. Plans are approved, unless
 * they are empty or the thread was put into plan mode on purpose: then only the plan is asked, nothing is changed while it is made, and
 * nothing is asked once it was approved.
 */
export function autonomousDecision(
  { kind, action }: Pick<Prompt, 'kind' | 'action'>,
  { permissions, launchMode, mode = 'plan' }: ThreadPermissions,
): ApprovalDecision | null {
  if (permissions !== 'autonomous' || kind !== 'approval') return null;
  const isPlanThread = launchMode === 'plan';
  if (action?.tool === planTool && isPlanThread) return null;
  if (isEmptyPlan(action))
    return { approved: false, message: 'The plan is empty. Write it, then ask again.' };
  if (action?.tool === planTool) return { approved: true };
  return isPlanThread && mode === 'plan'
    ? { approved: false, message: 'Nothing may change until the plan is approved.' }
    : { approved: true };
}
