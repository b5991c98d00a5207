import type { Task } from '@modelcontextprotocol/sdk/types.js';
import type { Dispatch } from '../protocol/dispatch.js';

const lookAgainMs = 2000;

/** A piece of work as an MCP task; its id is that of the dispatch, so that it is found again after any restart. */
export function workTask(dispatch: Dispatch): Task {
  const { id, state, why, outcome, attempts, createdAt, endedAt } = dispatch;
  return {
    taskId: id,
    status: statusOf(dispatch),
    // Work is kept for as long as its thread is.
    ttl: null,
    createdAt,
    lastUpdatedAt: endedAt ?? attempts.at(-1)?.startedAt ?? createdAt,
    pollInterval: lookAgainMs,
    statusMessage: outcome?.reason ?? why ?? state,
  };
}

function statusOf({ state, outcome }: Dispatch): Task['status'] {
  switch (state) {
    case 'queued':
    case 'running':
      return 'working';
    case 'waiting':
      return 'input_required';
    case 'ended':
      if (outcome?.result === 'succeeded') return 'completed';
      return outcome?.result === 'cancelled' ? 'cancelled' : 'failed';
    default:
      return state satisfies never;
  }
}
