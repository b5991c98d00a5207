import type { Thread } from '../../protocol/thread.js';

const working = new Set(['busy', 'question', 'initializing']);

/** The agent is in the middle of a turn. */
export function isAtWork({ status }: Thread): boolean {
  return working.has(status.state);
}

/** The agent's process is there, at work or at rest. */
export function isThere(thread: Thread): boolean {
  return isAtWork(thread) || thread.status.state === 'idle';
}
