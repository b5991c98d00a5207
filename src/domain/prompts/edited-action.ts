import { type AskingContext, actionDigest } from './asking.js';
import { fingerprintText } from './fingerprint.js';
import { decisionIn, type ThreadPrompt } from './thread-prompt.js';

/**
 * The fingerprint that an asking for the approved action has, where that is not the one that was proposed; else null.
 * Consent that is told in a message is for this action: an agent that asks for the proposed one again is asked again.
 */
export function editedFingerprint(
  prompt: Pick<ThreadPrompt, 'kind' | 'questions' | 'action' | 'answer'>,
  context: AskingContext,
): string | null {
  const { kind, questions, action } = prompt;
  const { approved, updatedInput: input } = decisionIn(prompt) ?? {};
  if (!approved || !input || !action) return null;
  const digest = actionDigest({ tool: action.tool, input }, context);
  return context.sha256(fingerprintText({ kind, questions, action: { ...action, input, digest } }));
}
