import type { PromptAction } from '../../protocol/prompt.js';
import { planTool } from './plan-action.js';
import { scriptsProposalTool } from './scripts-proposal.js';

/** Whether an action is approved as it is and once, never changed and never for a whole thread: a plan, or a proposed file. */
export function isApprovedOnce({ tool }: Pick<PromptAction, 'tool'>): boolean {
  return tool === planTool || tool === scriptsProposalTool;
}
