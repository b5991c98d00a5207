import type { Thread } from '../../protocol/thread.js';

/** The groups of the home page, in the order in which they are shown. */
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

/** A group as its head names it. */
export function headOf(group: Group): string {
  return group.charAt(0).toUpperCase() + group.slice(1);
}
