import type { Thread } from '../../protocol/thread.js';

/** Where a thread can belong, what needs somebody first. */
export const groups = ['needs you', 'failed', 'working', 'queued', 'done'] as const;
export type Group = (typeof groups)[number];

/** Where a thread belongs: with a person, failed, at work, in the queue, or done. */
export function groupOf({ status, lastDispatch }: Thread): Group {
  const { state } = status;
  if (state === 'question' || lastDispatch?.state === 'waiting') return 'needs you';
  if (state === 'busy' || state === 'initializing' || lastDispatch?.state === 'running') return 'working';
  if (lastDispatch?.state === 'queued') return 'queued';
  // Nobody is asked anything, and nothing is left to try.
  const hasFailed = lastDispatch?.result === 'failed' || lastDispatch?.result === 'blocked';
  return hasFailed || state === 'crashed' || state === 'oomKilled' ? 'failed' : 'done';
}
