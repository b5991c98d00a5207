import { useEffect, useRef, useState } from 'react';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { useOutside } from '../outside.js';
import type { Step } from '../parts/status-span.js';

const steps = 300;

/** The status logs of some threads; each is read again when its thread changes its status. */
export function useStatusLogs(threads: readonly Thread[]): ReadonlyMap<ThreadId, readonly Step[]> {
  const { client } = useOutside();
  const [logs, setLogs] = useState<ReadonlyMap<ThreadId, readonly Step[]>>(new Map());
  const read = useRef(new Map<ThreadId, string>());
  useEffect(() => {
    let isWanted = true;
    const stale = threads.filter(({ id, status }) => read.current.get(id) !== stamp(status));
    for (const { id, status } of stale) read.current.set(id, stamp(status));
    const readAll = async () => {
      for (const { id } of stale) {
        // oxlint-disable-next-line no-await-in-loop -- a browser has six connections, and others want some too
        const found = await client.threads.statusSteps(id, { limit: steps, order: 'newest_first' });
        if (!isWanted) read.current.delete(id);
        else setLogs((before) => new Map(before).set(id, found.toReversed()));
      }
    };
    readAll().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [client, threads]);
  return logs;
}

function stamp(status: Thread['status']): string {
  return `${status.state} ${status.why}`;
}
