import { groupOf } from '../../domain/thread/thread-group.js';
import { actorWords } from '../../domain/words/actor-words.js';
import type { SnoozeRequest } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadSnooze } from '../../protocol/thread.js';
import { type Clock, instant } from '../clock.js';
import type { Actor } from '../host.js';
import type { ThreadChanges } from './thread-changes.js';

export interface SnoozingParts {
  readonly changes: ThreadChanges;
  readonly clock: Clock;
}

// Whoever means longer means the archive.
const longestDays = 366;
const dayMs = 24 * 60 * 60_000;

/** Puts threads off until later, and takes that back; the agents know nothing of it. */
export class Snoozing {
  readonly #parts: SnoozingParts;

  constructor(parts: SnoozingParts) {
    this.#parts = parts;
  }

  async snooze(id: ThreadId, { until }: SnoozeRequest, actor: Actor): Promise<void> {
    const { changes, clock } = this.#parts;
    const left = until === null ? undefined : Date.parse(until) - clock.now();
    if (left !== undefined && (left <= 0 || left > longestDays * dayMs))
      throw new Failure('invalid', `A thread is put off until a time within the next ${longestDays} days.`);
    await changes.commit(id, ({ thread, ...state }) => {
      const { snoozed: before, ...awake } = thread;
      if (until === null && !before) return null;
      const snoozed: ThreadSnooze | null = until === null ? null : this.#saidNow(thread, until, actor);
      const words = until === null ? 'The thread was taken back' : `The thread was put off until ${until}`;
      return {
        operations: [{ do: 'patchThread', threadId: id, patch: { snoozed } }],
        events: [{ type: 'notice', message: `${words} by ${actorWords(actor)}.` }],
        state: { ...state, thread: { ...awake, ...(snoozed && { snoozed }) } },
        result: undefined,
      };
    });
  }

  #saidNow(thread: Parameters<typeof groupOf>[0], until: string, actor: Actor): ThreadSnooze {
    const hadFailed = groupOf(thread) === 'failed';
    return { at: instant(this.#parts.clock), until, by: actor, hadFailed };
  }
}
