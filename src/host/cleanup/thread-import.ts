import { join } from 'node:path';
import { actorWords } from '../../domain/words/actor-words.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ImportRequest } from '../../protocol/thread-file.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { Actor } from '../host.js';

// One event may hold what a tool was given; larger ones are no conversation.
const largestEvent = 4 * 2 ** 20;

export interface ThreadImportParts {
  readonly store: Store;
  readonly home: string;
  readonly clock: Clock;
  readonly newThreadId: () => ThreadId;
}

/** Takes in threads from elsewhere, to be read: with an id of their own, archived for good, in no folder of this machine. */
export class ThreadImport {
  readonly #parts: ThreadImportParts;

  constructor(parts: ThreadImportParts) {
    this.#parts = parts;
  }

  async import({ from, title, runtime, createdAt, events }: ImportRequest, actor: Actor): Promise<ThreadId> {
    const { store, home, clock, newThreadId } = this.#parts;
    const id = newThreadId();
    const at = instant(clock);
    const message = `Imported by ${actorWords(actor)}. This thread was ${from} elsewhere, and what follows is as its file says.`;
    const imported = [{ type: 'notice', timestamp: at, message }, ...events].map((event) => {
      const json = JSON.stringify({ ...event, runId: undefined, seq: undefined });
      if (json.length > largestEvent)
        throw new Failure('too_large', 'An event of this thread is larger than 4 MiB.');
      return { type: event.type, timestamp: event.timestamp, json };
    });
    const result = await store.commit({
      operations: [
        {
          do: 'insertThread',
          thread: {
            id,
            title,
            runtime,
            workspace: { path: join(home, 'imported', id) },
            status: { state: 'stopped', why: 'imported', source: 'worker', confidence: 'authoritative' },
            createdAt,
            archivedAt: at,
            importedFrom: from,
            launch: { permissions: 'approval', posture: {} },
          },
        },
        { do: 'appendEvents', threadId: id, events: imported },
      ],
    });
    if (!result.committed) throw new Failure('conflict', 'The thread was not imported. Try again.');
    return id;
  }
}
