import type { PromptAction } from '../../protocol/prompt.js';
import { plainText } from '../words/plain-text.js';
import { planTool } from './plan-action.js';

/** The plan that a person is to approve; nothing when the action is another one. */
export function askedPlan(action: Pick<PromptAction, 'tool' | 'input'> | undefined): string | undefined {
  if (action?.tool !== planTool) return undefined;
  const { plan } = action.input;
  return typeof plan === 'string' ? plan : '';
}

/** Whether there is nothing to approve: a plan without a word. Such a plan can only be denied. */
export function isEmptyPlan(action: Pick<PromptAction, 'tool' | 'input'> | undefined): boolean {
  const plan = askedPlan(action);
  return plan !== undefined && plainText(plan).trim() === '';
}

export const emptyPlanWords =
  'The plan is empty: there is nothing to approve. Deny it, and say what is missing.';
