import type { WaitingCall } from '../run/waiting-call.js';
import type { DeclinedRequest } from './prompt-thread.js';
import type { ThreadPrompt } from './thread-prompt.js';

/**
 * The request of a call that has come back from work which is over, where one waits. Its prompt was closed with that work, so
 * nothing but the call says that it is still to be declined.
 */
export function requestOfOverWork(
  call: WaitingCall,
  prompts: readonly Pick<ThreadPrompt, 'toolUseId' | 'isUntold'>[],
): DeclinedRequest | null {
  if (call.state !== 'declining' || call.requestId === undefined) return null;
  const { toolUseId, requestId } = call;
  // Its work goes on, and the prompt itself says what the agent is told.
  if (prompts.some((prompt) => prompt.isUntold && prompt.toolUseId === toolUseId)) return null;
  return { requestId, toolUseId, isOver: true };
}
