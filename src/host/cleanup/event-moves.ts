import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import * as z from 'zod';
import { threadFileLines } from '../../domain/thread/thread-file-lines.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { PruneReport } from '../../protocol/cleanup.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import { Thread } from '../../protocol/thread.js';
import type { FileEvent } from '../../protocol/thread-file.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { type Clock, instant } from '../clock.js';
import type { Dispatches, Threads } from '../host.js';
import type { Failpoint } from '../runs/failpoint.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import { ChangeRefused, type ThreadChanges } from '../threads/thread-changes.js';

const dayMs = 24 * 60 * 60_000;
const readAtOnce = 200;
const titleLength = 80;
const Fields = z.record(z.string(), z.unknown());
/** `handraise import` takes 64 MiB in all, of it 32 MiB and 100,000 events; what it would not take stays in the store. */
const largest = { bytes: 60 * 2 ** 20, eventBytes: 30 * 2 ** 20, events: 100_000 };

export interface EventMovesParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly threads: Pick<Threads, 'events' | 'items' | 'diff'>;
  readonly dispatches: Pick<Dispatches, 'list'>;
  /** The folder that the files are put into. */
  readonly folder: string;
  /** After how many days in the archive; undefined for never. */
  readonly afterDays: number | undefined;
  readonly clock: Clock;
  readonly failpoint: (name: Failpoint) => void;
  readonly log: (line: string) => void;
}

/**
 * Moves the events of threads that were archived long ago into files that `handraise import` reads. The file is on the
 * disk, whole and under its own name, before the events leave the store: whoever is killed in between has both.
 */
export class EventMoves {
  readonly #parts: EventMovesParts;
  readonly #queue = new KeyedQueue<ThreadId>();

  constructor(parts: EventMovesParts) {
    this.#parts = parts;
  }

  /** The threads whose time has come. */
  async due(): Promise<PruneReport['moved']> {
    const { store } = this.#parts;
    const threads = await this.#due();
    const sizes = await store.query('threadSizes', { threadIds: threads.map(({ id }) => id) });
    return threads.map(({ id, title }, index) => ({
      id,
      title: plainLine(title, { maxLength: titleLength }),
      bytes: sizes[index]?.bytes ?? 0,
    }));
  }

  /** Moves the events of all of them; which were moved. */
  async moveDue(): Promise<PruneReport['moved']> {
    const moved: PruneReport['moved'] = [];
    for (const thread of await this.due()) {
      try {
        // One after the other: the worker tidies up by itself while somebody prunes.
        if (await this.#queue.run(thread.id, async () => await this.#move(thread.id))) moved.push(thread);
      } catch (error) {
        this.#parts.log(`the events of ${thread.id}: ${errorSentence(error)}`);
      }
    }
    return moved;
  }

  async #due(): Promise<StoredThread[]> {
    const { store, clock, afterDays } = this.#parts;
    if (afterDays === undefined) return [];
    const before = new Date(clock.now() - afterDays * dayMs).toISOString();
    const due: StoredThread[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.query('threads', {
        own: true,
        archived: true,
        quietSince: before,
        limit: readAtOnce,
        ...given({ cursor }),
      });
      due.push(
        ...page.rows.filter(
          ({ archivedAt, eventsIn, lastSeq }) =>
            archivedAt !== undefined && archivedAt <= before && eventsIn === undefined && lastSeq > 0,
        ),
      );
      cursor = page.next;
    } while (cursor !== undefined);
    return due;
  }

  async #move(id: ThreadId): Promise<boolean> {
    const { changes, folder, failpoint } = this.#parts;
    const { thread } = await changes.state(id);
    if (thread.eventsIn !== undefined) return false;
    const { lastSeq } = thread;
    const file = join(folder, `${id}.jsonl.gz`);
    if (!(await this.#write(thread, file))) return false;
    failpoint('events_in_file');
    const message = `The events of this thread were moved to ${file}. To read them: handraise import ${file}`;
    try {
      await changes.commit(id, (state) => ({
        operations: [{ do: 'dropEvents', threadId: id, upTo: lastSeq, file }],
        events: [{ type: 'notice', message }],
        state: { ...state, thread: { ...state.thread, eventsIn: file } },
        result: undefined,
      }));
    } catch (error) {
      // Something happened in it since; it is looked at again another time.
      if (error instanceof ChangeRefused) return false;
      throw error;
    }
    failpoint('events_dropped');
    return true;
  }

  /** Writes the file whole, or not at all; false for a thread that is too large to be read again. */
  async #write(thread: StoredThread, file: string): Promise<boolean> {
    const part = `${file}.part`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    try {
      const to = createWriteStream(part, { mode: 0o600 });
      await pipeline(Readable.from(this.#lines(thread)), createGzip(), to);
      await using written = await open(part, 'r+');
      await written.sync();
    } catch (error) {
      await rm(part, { force: true });
      if (!(error instanceof TooLarge)) throw error;
      this.#parts.log(
        `the events of ${thread.id} stay in the store: they are more than handraise import takes`,
      );
      return false;
    }
    await rename(part, file);
    await using place = await open(dirname(file), 'r');
    await place.sync();
    return true;
  }

  async *#lines(thread: StoredThread): AsyncGenerator<string> {
    const { clock } = this.#parts;
    const { id, lastSeq } = thread;
    const room = { ...largest };
    const lines = threadFileLines({
      thread: Thread.parse(thread),
      exportedAt: instant(clock),
      dispatches: this.#dispatches(id),
      events: this.#events(id, lastSeq),
      items: this.#items(id),
      diff: async () => await this.#diff(id),
    });
    for await (const line of lines) {
      const text = `${JSON.stringify(line)}\n`;
      const size = Buffer.byteLength(text);
      room.bytes -= size;
      if (line.kind === 'event') {
        room.eventBytes -= size;
        room.events -= 1;
      }
      if (Math.min(room.bytes, room.eventBytes, room.events) < 0) throw new TooLarge();
      yield text;
    }
  }

  async *#dispatches(threadId: ThreadId) {
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<Dispatches['list']>> = await this.#parts.dispatches.list({
        threadId,
        ...given({ cursor }),
      });
      yield* page.rows;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  async *#events(id: ThreadId, upTo: number): AsyncGenerator<FileEvent> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const part: Awaited<ReturnType<Threads['events']>> = await this.#parts.threads.events(id, { after });
      for (const { seq, type, timestamp, json } of part.events)
        if (seq <= upTo) yield { ...Fields.parse(JSON.parse(json)), seq, type, timestamp };
      after = part.next;
    }
  }

  async *#items(id: ThreadId) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const part: Awaited<ReturnType<Threads['items']>> = await this.#parts.threads.items(id, { after });
      yield* part.items;
      after = part.next;
    }
  }

  async #diff(id: ThreadId) {
    try {
      return await this.#parts.threads.diff(id);
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
