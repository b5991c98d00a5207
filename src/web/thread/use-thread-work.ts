import { useEffect, useMemo, useState } from 'react';
import type { FollowedEvent } from '../../client/thread-event.js';
import type { FeedView } from '../../live/thread-feed.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';

/** After these, other work of the thread is under way or waits, or reads otherwise. */
const telling = new Set(['dispatch_started', 'attempt_ended', 'dispatch_ended', 'user_message', 'notice']);

/** The work of a thread that has not ended, oldest first. */
export function useThreadWork(
  thread: Pick<Thread, 'id' | 'lastDispatch'> | undefined,
  view: FeedView,
): readonly Dispatch[] {
  const { client } = useConsole();
  const [work, setWork] = useState<readonly Dispatch[]>([]);
  const { id, lastDispatch } = thread ?? {};
  const told = useMemo(() => lastTelling(view), [view]);
  const newest = `${lastDispatch?.id} ${lastDispatch?.state}`;
  useEffect(() => {
    if (id === undefined) return undefined;
    let isWanted = true;
    const read = async () => {
      try {
        const unended = await client.dispatches.unended(id);
        if (isWanted) setWork(unended);
      } catch {
        // What changes next is read again.
      }
    };
    void read();
    return () => {
      isWanted = false;
    };
    // Work that comes is told by the thread, everything else by its events.
  }, [client, id, newest, told]);
  return work;
}

function lastTelling({ events }: { readonly events: readonly FollowedEvent[] }): number | null | undefined {
  return events.findLast(({ type }) => telling.has(type))?.seq;
}
