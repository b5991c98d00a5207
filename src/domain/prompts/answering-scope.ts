import type { Prompt } from '../../protocol/prompt.js';

/**
 * What somebody must be allowed to settle a prompt. A question of the agent is answered; an action is approved, and so is what the
 * worker itself asks before it goes on: more money, the next phase of a pipeline, what becomes of failed work.
 */
export function answeringScope({
  kind,
  action,
  questions,
}: Pick<Prompt, 'kind' | 'action' | 'questions'>): 'answer' | 'approve' {
  const isDecision = kind === 'approval' || action !== undefined;
  return isDecision || questions.some(({ byWorker }) => byWorker) ? 'approve' : 'answer';
}
