import type { Dispatch } from '../../protocol/dispatch.js';

/**
 * What a person means by "the work" of a thread, among all that has not ended, oldest first: what is under way or waits
 * for them, else what begins next. What was given last may be far back in the queue.
 */
export function currentWork<Work extends Pick<Dispatch, 'state'>>(
  unended: readonly Work[],
): Work | undefined {
  const isUnderWay = ({ state }: Work) => state === 'running' || state === 'waiting';
  return unended.find(isUnderWay) ?? unended.find(({ state }) => state === 'queued');
}
