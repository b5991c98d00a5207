import type { Thread } from '../../protocol/thread.js';

/** The groups of the home page, in the order in which they are shown. */
export const groups = ['needs you', 'working', 'queued', 'done'] as const;
export type Group = (typeof groups)[number];

/** Where a thread belongs: with a person, at work, in the queue, or done. */
export function groupOf({ status, lastDispatch }: Thread): Group {
  const { state } = status;
  if (state === 'question' || lastDispatch?.state === 'waiting') return 'needs you';
  if (state === 'busy' || state === 'initializing' || lastDispatch?.state === 'running') return 'working';
  if (lastDispatch?.state === 'queued') return 'queued';
  // A process that died with nothing left to try is a person's to look at.
  if (state === 'crashed' || state === 'oomKilled') return 'needs you';
  return 'done';
}
