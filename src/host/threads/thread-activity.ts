import { activityOf } from '../../domain/status/activity.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { StoredEvent } from '../../store/stored-event.js';

/** Events that say more than their type. */
const telling = new Set(['tool_start', 'status_evidence', 'attempt_ended']);

/** What the agents of this worker are doing, as their newest events said; one that is gone, or whose work is over, does nothing. */
export class ThreadActivity {
  readonly #activities = new Map<ThreadId, string>();

  note(threadId: ThreadId, events: readonly StoredEvent[]): void {
    for (const { type, json } of events) {
      if (type === 'run_ended' || type === 'dispatch_ended') this.#activities.delete(threadId);
      const activity = activityOf(telling.has(type) ? eventOf(type, json) : { type });
      if (activity !== undefined) this.#activities.set(threadId, activity);
    }
  }

  of(threadId: ThreadId): { readonly activity?: string } {
    return given({ activity: this.#activities.get(threadId) });
  }
}

function eventOf(type: string, json: string): { readonly type: string } {
  const parsed: unknown = JSON.parse(json);
  return { ...(typeof parsed === 'object' ? parsed : {}), type };
}
