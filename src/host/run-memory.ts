import { runMarker } from '../process/run-marker.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { Store } from '../store/store.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import type { ReadSavedSession, SavedSession } from './saved-session.js';
import type { ThreadBook } from './thread-book.js';

// Agents save within milliseconds of what they do; whatever is older than this is saved.
const savedWithinMs = 60_000;
const lookedAt = 50;

/** What the agent of a run that is gone knows in its next life. */
export interface RunMemory {
  readonly saved: SavedSession;
  /** Answers that were reported as used so late that the session may not hold them. */
  readonly used: readonly StoredPrompt[];
  /** Nothing was saved at all. */
  readonly isLost: boolean;
}

export interface RunMemoryOutside {
  readonly store: Store;
  readonly book: ThreadBook;
  readonly savedSession: ReadSavedSession;
}

/** Compares what a run reported with what its session has saved; null where nobody can tell. */
export async function memoryOf(
  gone: { readonly threadId: ThreadId; readonly runId: RunId; readonly process: ProcessIdentity },
  { store, book, savedSession }: RunMemoryOutside,
): Promise<RunMemory | null> {
  const { threadId, runId, process } = gone;
  const { run } = await book.state(threadId);
  const sessionId = run?.facts.sessionId;
  if (run?.run.id !== runId || sessionId === undefined) return null;
  const { runtime, posture, startedAt } = run.run;
  const saved = await savedSession({ runtime, posture, sessionId, run: runMarker(process).value });
  if (saved === undefined) return null;
  const newest = { threadId, order: 'newest_first', limit: lookedAt } as const;
  const { rows: runs } = await store.query('runs', newest);
  // A session that has ended a turn was saved; if it is not found then, it lies where nobody looked.
  const isNew =
    run.facts.lastTurn === undefined &&
    runs.every((each) => each.id === runId || each.sessionId !== sessionId);
  if (!saved && !isNew) return null;
  const { rows: answered } = await store.query('prompts', { ...newest, state: 'answered' });
  const lastSeen = Date.parse(run.facts.signs.last?.at ?? startedAt);
  const since = Math.max(Date.parse(startedAt), lastSeen - savedWithinMs);
  const used = answered.filter(
    ({ consumedAt }) => consumedAt !== undefined && Date.parse(consumedAt) >= since,
  );
  return { saved: saved ?? nothingSaved, used, isLost: saved === null };
}

const nothingSaved: SavedSession = { hasResult: () => false, hasMessage: () => false };
