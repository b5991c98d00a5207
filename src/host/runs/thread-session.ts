import type { RunId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { StoredThread } from '../../store/stored-thread.js';

/** The session of the runtime's that a thread goes on with. */
export interface ThreadSession {
  readonly newest: StoredRun | undefined;
  /** Undefined before there is one, and when it is lost. */
  readonly id: string | undefined;
  /** The run that it was of last; a session from a terminal is of none. */
  readonly runId: RunId | undefined;
  /** Its process ended before anything was saved. */
  readonly isLost: boolean;
}

/** What the runs of a thread, and whoever had it in a terminal since, have left as its session. */
export async function threadSession(store: Store, { id, session }: StoredThread): Promise<ThreadSession> {
  const { rows } = await store.query('runs', { threadId: id, order: 'newest_first', limit: 20 });
  const last = rows.find(({ sessionId }) => sessionId !== undefined);
  const newest = rows[0];
  if (session && (!last || session.at > last.startedAt))
    return { newest, id: session.id, runId: undefined, isLost: false };
  const isLost = last?.facts?.session.state === 'lost';
  return { newest, id: isLost ? undefined : last?.sessionId, runId: last?.id, isLost };
}
