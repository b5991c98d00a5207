import type { EventBody } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';

/** The conversation was made shorter. */
export function compactBoundary(compact: {
  trigger: string;
  pre_tokens: number;
  post_tokens?: number | undefined;
}): EventBody<'compact_boundary'> {
  return {
    type: 'compact_boundary',
    trigger: compact.trigger,
    preTokens: compact.pre_tokens,
    ...given({ postTokens: compact.post_tokens }),
  };
}

/** A task that goes on beside the turn. */
export function backgroundTask(task: {
  task_id: string;
  task_type: string;
  description?: string | undefined;
}) {
  return {
    id: task.task_id,
    kind: task.task_type,
    ...given({ description: task.description }),
  };
}
