import * as z from 'zod';
import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { sessionOf } from '../../domain/run/run-facts.js';
import type { SavedSession } from '../../domain/run/saved-session.js';
import type { SentMessage } from '../../domain/run/sent-message.js';
import { runMarker } from '../../process/families/run-marker.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import { threadEventDefinitions } from '../../protocol/thread-event.js';
import type { Store } from '../../store/store.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ReadSavedSession } from './saved-session.js';

// Agents save within milliseconds of what they do; whatever is older than this is saved.
const savedWithinMs = 60_000;
const lookedAt = 50;
const eventsAtOnce = 1000;
const UserMessage = z.object(threadEventDefinitions.user_message).pick({ uuid: true, text: true });

/** What the agent of a run that is gone knows in its next life. */
export interface SessionFindings {
  readonly saved: SavedSession;
  /** Answers that were reported as used so late that the session may not hold them. */
  readonly used: readonly ThreadPrompt[];
  /** Nothing was saved at all. */
  readonly isLost: boolean;
}

export interface SessionComparisonParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly savedSession: ReadSavedSession;
}

/** Compares what runs reported with what their sessions have saved. */
export class SessionComparison {
  readonly #parts: SessionComparisonParts;

  constructor(parts: SessionComparisonParts) {
    this.#parts = parts;
  }

  /** What is saved of the session of a run whose processes are gone; null where nobody can tell. */
  async compare(gone: {
    readonly threadId: ThreadId;
    readonly runId: RunId;
    readonly process: ProcessIdentity;
  }): Promise<SessionFindings | null> {
    const { store, changes, savedSession } = this.#parts;
    const { threadId, runId, process } = gone;
    const { run, thread } = await changes.state(threadId);
    const sessionId = run && sessionOf(run.facts);
    if (run?.run.id !== runId || !sessionId) return null;
    const { runtime, posture, startedAt } = run.run;
    const saved = await savedSession({
      runtime,
      posture,
      sessionId,
      cwd: thread.workspace.path,
      run: runMarker(process).value,
      messages: async () => await this.#messages(threadId),
    });
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
    // Of a session that is lost nothing is saved, however old.
    const since = Math.max(Date.parse(startedAt), saved ? lastSeen - savedWithinMs : 0);
    const used = answered.filter(
      ({ consumedAt }) => consumedAt !== undefined && Date.parse(consumedAt) >= since,
    );
    return { saved: saved ?? nothingSaved, used, isLost: saved === null };
  }

  async #messages(threadId: ThreadId): Promise<SentMessage[]> {
    const messages: SentMessage[] = [];
    for (let after = 0; ; ) {
      const events = await this.#parts.store.query('events', { threadId, after, limit: eventsAtOnce });
      for (const { type, json } of events)
        if (type === 'user_message') messages.push(UserMessage.parse(JSON.parse(json)));
      const last = events.at(-1);
      if (!last) return messages;
      after = last.seq;
    }
  }
}

const nothingSaved: SavedSession = { hasResult: () => false, hasMessage: () => false };
