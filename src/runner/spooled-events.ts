import { setTimeout as delay } from 'node:timers/promises';
import type { LineJournal } from '../process/files/line-journal.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { EventBody, EventType } from '../protocol/event.js';
import { eventJson } from './event-json.js';
import { liveEvents } from './live-events.js';

/**
 * Events whose loss would lose a question, an answer or an outcome: on the disk before anyone hears of them. The rest is written and not
 * synced: the death of a process loses nothing of it, and what a power cut can cost is in docs/decisions/0100.
 */
const syncedTypes: ReadonlySet<EventType> = new Set([
  'user_question_request',
  'plan_approval_request',
  'permission_request',
  'needs_input',
  'session_id_update',
  'result',
  'complete',
  'shutdown',
  'answer_delivered',
]);

/** The agent acts on an answer right after its receipt, so this is waited for; for the others the program goes on meanwhile. */
const syncedAtOnce: EventType = 'answer_delivered';

const liveWithinMs = 50;
const retryAfterMs = 1000;
const closePatienceMs = 20_000;

export interface SpoolOptions {
  readonly journal: Pick<LineJournal, 'append' | 'sync' | 'synced' | 'trim' | 'close' | 'lastSeq' | 'bytes'>;
  readonly capBytes: number;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** A durable line that the journal holds now. */
  readonly published: (seq: number, line: string) => void;
  /** A live line, which no journal holds. */
  readonly publishedLive: (line: string) => void;
  /** How long a full disk may keep the last events from being written. */
  readonly patienceMs?: number;
}

/** What is to be told in its order: a line of the journal, told only once the disk has it where that is wanted, or something live. */
type Untold =
  | { readonly seq: number; readonly line: string; readonly isSynced: boolean }
  | { readonly live: EventBody };

/**
 * The events of a detached runner: numbered, journalled first, then told. When the disk or the cap is full, events
 * wait here and the agent is paused, because an event that is told but not kept would be lost with its listener.
 */
export class SpooledEvents {
  readonly #options: SpoolOptions;
  /** What the journal does not hold yet, because the disk was full. */
  readonly #waiting: EventBody[] = [];
  readonly #untold: Untold[] = [];
  #syncing: Promise<void> | null = null;
  #syncedUpTo = 0;
  #cannotSync = false;
  #bytes: number;
  #tellsSoon = false;
  #retryTimer: NodeJS.Timeout | null = null;
  #liveTimer: NodeJS.Timeout | null = null;
  #liveText: { type: 'text_delta' | 'thinking_delta'; content: string } | null = null;
  #pause: Promise<void> | null = null;
  #endPause: (() => void) | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#bytes = options.journal.bytes;
  }

  /** Once this returns the journal holds the event, unless the disk is full: the death of this process loses nothing of it. */
  emit(event: EventBody): void {
    this.#waiting.push(event);
    this.#drain();
  }

  /** A promise while the agent has to wait for room, else undefined. */
  whenWritable(): Promise<void> | undefined {
    return this.#pause ?? undefined;
  }

  /** The worker has committed everything up to this number. */
  acknowledged(seq: number): void {
    this.#options.journal.trim(seq);
    this.#bytes = this.#options.journal.bytes;
    this.#resumeIfRoom();
  }

  /** Writes what still waits. A full disk gets a while to have room again; then what did not fit is lost, and said. */
  async close(): Promise<void> {
    const { log, journal, patienceMs = closePatienceMs } = this.#options;
    await this.#settle();
    for (let waited = 0; this.#left > 0 && waited < patienceMs; waited += retryAfterMs) {
      await delay(Math.min(retryAfterMs, patienceMs));
      await this.#settle();
    }
    this.#flushLive();
    if (this.#left > 0) log(`${this.#left} events are lost: the spool could not be written to the end.`);
    for (const timer of [this.#liveTimer, this.#retryTimer]) if (timer) clearTimeout(timer);
    journal.close();
  }

  get #left(): number {
    return this.#waiting.length + this.#untold.filter((each) => 'seq' in each).length;
  }

  /** Writes and tells what can be, until the disk has answered for everything that it was asked about. */
  async #settle(): Promise<void> {
    this.#drain();
    this.#tellDue();
    while (this.#syncing) await this.#syncing;
  }

  #drain(): void {
    try {
      for (let event = this.#waiting[0]; event; event = this.#waiting[0]) {
        const untold = liveEvents.has(event.type) ? { live: event } : this.#append(event);
        this.#waiting.shift();
        this.#untold.push(untold);
        if (event.type === syncedAtOnce) this.#syncNow();
      }
    } catch (error) {
      this.#full(error);
    }
    if (this.#untold.some((each) => 'seq' in each)) this.#tellSoon();
    else this.#tellDue();
    if (this.#waiting.length > 0) return;
    if (this.#bytes <= this.#options.capBytes) {
      this.#resumeIfRoom();
    } else if (!this.#pause) {
      this.#pauseAgent();
      this.emit({
        type: 'warning',
        message: `The spool holds ${this.#bytes} bytes that no worker has taken; the agent is paused until one does.`,
      });
    }
  }

  /**
   * An agent often says several things at once, such as the last text of a turn and its result: they are told at once too. Not later
   * than that: what several reads of the agent bring would fill the socket, and live text is left out where it is full.
   */
  #tellSoon(): void {
    if (this.#tellsSoon) return;
    this.#tellsSoon = true;
    process.nextTick(() => {
      this.#tellsSoon = false;
      this.#tellDue();
    });
  }

  /** Tells what may be told, in its order. What stands before an event that waits for the disk is told together with it. */
  #tellDue(): void {
    const isWaited = this.#untold.some((each) => 'seq' in each && each.isSynced && !this.#isOnDisk(each));
    for (let next = this.#untold[0]; next; next = this.#untold[0]) {
      if (isWaited && 'seq' in next && !this.#isOnDisk(next)) return this.#beginSync();
      this.#untold.shift();
      if ('live' in next) this.#tell(next.live);
      else {
        this.#flushLive();
        this.#options.published(next.seq, next.line);
      }
    }
  }

  #isOnDisk({ seq }: { readonly seq: number }): boolean {
    return seq <= this.#syncedUpTo;
  }

  /** Off the event loop: a disk may take many milliseconds, and the agent and the worker are heard meanwhile. */
  #beginSync(): void {
    if (this.#syncing) return;
    const goOn = (upTo: number) => {
      this.#syncing = null;
      this.#synced(upTo);
      this.#tellDue();
      this.#resumeIfRoom();
    };
    this.#syncing = this.#options.journal.synced().then(goOn, (error: unknown) => {
      this.#syncing = null;
      this.#cannotSync = true;
      this.#full(error);
    });
  }

  #syncNow(): void {
    const { journal } = this.#options;
    journal.sync();
    this.#synced(journal.lastSeq);
  }

  #synced(upTo: number): void {
    this.#syncedUpTo = upTo;
    this.#cannotSync = false;
  }

  #append(event: EventBody): Untold {
    const { journal, now } = this.#options;
    const timestamp = new Date(now()).toISOString();
    const further = { timestamp, runSeq: journal.lastSeq + 1 };
    const line = `${eventJson(event).slice(0, -1)},${JSON.stringify(further).slice(1)}`;
    const seq = journal.append(line);
    this.#bytes += Buffer.byteLength(line) + 1;
    return { seq, line, isSynced: syncedTypes.has(event.type) };
  }

  #full(error: unknown): void {
    const why = errorSentence(error);
    if (!this.#pause) {
      this.#pauseAgent();
      const message = `The spool cannot be written (${why}); the agent is paused until it can.`;
      this.#options.log(message);
      this.#tell({ type: 'warning', message });
    }
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = null;
      this.#drain();
    }, retryAfterMs);
  }

  #pauseAgent(): void {
    this.#pause = new Promise((resolve) => {
      this.#endPause = resolve;
    });
  }

  #resumeIfRoom(): void {
    if (this.#waiting.length > 0 || this.#cannotSync || this.#bytes > this.#options.capBytes) return;
    this.#endPause?.();
    this.#pause = null;
  }

  /** The first of live text goes out at once, what follows within 50 ms together; nothing of it is lost or changed. */
  #tell(event: EventBody): void {
    if (event.type !== 'text_delta' && event.type !== 'thinking_delta') {
      this.#flushLive();
      this.#options.publishedLive(this.#stamp(event));
      return;
    }
    if (this.#liveTimer === null) {
      this.#liveTimer = setTimeout(() => this.#flushLive(), liveWithinMs);
      this.#options.publishedLive(this.#stamp(event));
    } else if (this.#liveText?.type === event.type) {
      this.#liveText.content += event.content;
    } else {
      if (this.#liveText) this.#options.publishedLive(this.#stamp(this.#liveText));
      this.#liveText = { type: event.type, content: event.content };
    }
  }

  #flushLive(): void {
    if (this.#liveTimer) clearTimeout(this.#liveTimer);
    this.#liveTimer = null;
    const text = this.#liveText;
    this.#liveText = null;
    if (text) this.#options.publishedLive(this.#stamp(text));
  }

  #stamp(event: EventBody): string {
    return JSON.stringify({ ...event, timestamp: new Date(this.#options.now()).toISOString() });
  }
}
