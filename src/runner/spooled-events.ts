import type { LineJournal } from '../process/line-journal.js';
import type { EventBody, EventType } from '../protocol/event.js';
import { liveEvents } from './live-events.js';

/** Events whose loss would lose a question, an answer or an outcome: on the disk before anyone hears of them. */
const syncedTypes: ReadonlySet<EventType> = new Set([
  'user_question_request',
  'plan_approval_request',
  'permission_request',
  'needs_input',
  'session_id_update',
  'result',
  'complete',
  'shutdown',
  'command_accepted',
  'answer_delivered',
]);

const syncWithinMs = 50;
const liveWithinMs = 50;
const retryAfterMs = 1000;

export interface SpoolOutside {
  readonly journal: Pick<LineJournal, 'append' | 'sync' | 'trim' | 'close' | 'lastSeq' | 'bytes'>;
  readonly capBytes: number;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** A durable line that the journal holds now. */
  readonly published: (seq: number, line: string) => void;
  /** A line that is told and forgotten. */
  readonly told: (line: string) => void;
}

/**
 * The events of a detached runner: numbered, journalled first, then told. When the disk or the cap is full, events
 * wait here and the agent is paused, because an event that is told but not kept would be lost with its listener.
 */
export class SpooledEvents {
  readonly #outside: SpoolOutside;
  readonly #waiting: EventBody[] = [];
  #bytes: number;
  #syncTimer: NodeJS.Timeout | null = null;
  #liveTimer: NodeJS.Timeout | null = null;
  #liveText: { type: 'text_delta' | 'thinking_delta'; content: string } | null = null;
  #pause: Promise<void> | null = null;
  #endPause: (() => void) | null = null;

  constructor(outside: SpoolOutside) {
    this.#outside = outside;
    this.#bytes = outside.journal.bytes;
  }

  emit(event: EventBody): void {
    if (liveEvents.has(event.type)) {
      this.#tell(event);
      return;
    }
    this.#flushLive();
    this.#waiting.push(event);
    this.#drain();
  }

  /** A promise while the agent has to wait for room, else undefined. */
  whenWritable(): Promise<void> | undefined {
    return this.#pause ?? undefined;
  }

  /** The worker has committed everything up to this number. */
  acknowledged(seq: number): void {
    this.#outside.journal.trim(seq);
    this.#bytes = this.#outside.journal.bytes;
    if (this.#bytes <= this.#outside.capBytes) this.#resume();
  }

  close(): void {
    this.#flushLive();
    this.#drain();
    for (const timer of [this.#syncTimer, this.#liveTimer]) if (timer) clearTimeout(timer);
    this.#outside.journal.close();
  }

  #drain(): void {
    for (let event = this.#waiting[0]; event; event = this.#waiting[0]) {
      if (!this.#keep(event)) return;
      this.#waiting.shift();
    }
    if (this.#bytes <= this.#outside.capBytes) {
      this.#resume();
    } else if (!this.#pause) {
      this.#pauseAgent();
      this.emit({
        type: 'warning',
        message: `The spool holds ${this.#bytes} bytes that no worker has taken; the agent is paused until one does.`,
      });
    }
  }

  #keep(event: EventBody): boolean {
    const { journal } = this.#outside;
    const stamped = {
      ...event,
      timestamp: new Date(this.#outside.now()).toISOString(),
      runSeq: journal.lastSeq + 1,
    };
    const line = JSON.stringify(stamped);
    try {
      const seq = journal.append(line);
      if (syncedTypes.has(event.type)) journal.sync();
      else this.#syncTimer ??= setTimeout(() => this.#sync(), syncWithinMs);
      this.#bytes += Buffer.byteLength(line) + 1;
      this.#outside.published(seq, line);
      return true;
    } catch (error) {
      this.#full(error);
      return false;
    }
  }

  #sync(): void {
    this.#syncTimer = null;
    try {
      this.#outside.journal.sync();
    } catch (error) {
      this.#full(error);
    }
  }

  #full(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#pause) {
      this.#pauseAgent();
      const message = `The spool cannot be written (${why}); the agent is paused until it can.`;
      this.#outside.log(message);
      this.#tell({ type: 'warning', message });
    }
    setTimeout(() => this.#drain(), retryAfterMs);
  }

  #pauseAgent(): void {
    this.#pause = new Promise((resolve) => {
      this.#endPause = resolve;
    });
  }

  #resume(): void {
    if (this.#waiting.length > 0) return;
    this.#endPause?.();
    this.#pause = null;
  }

  /** The first of live text goes out at once, what follows within 50 ms together; nothing of it is lost or changed. */
  #tell(event: EventBody): void {
    if (event.type !== 'text_delta' && event.type !== 'thinking_delta') {
      this.#flushLive();
      this.#outside.told(this.#stamp(event));
      return;
    }
    if (this.#liveTimer === null) {
      this.#liveTimer = setTimeout(() => this.#flushLive(), liveWithinMs);
      this.#outside.told(this.#stamp(event));
    } else if (this.#liveText?.type === event.type) {
      this.#liveText.content += event.content;
    } else {
      if (this.#liveText) this.#outside.told(this.#stamp(this.#liveText));
      this.#liveText = { type: event.type, content: event.content };
    }
  }

  #flushLive(): void {
    if (this.#liveTimer) clearTimeout(this.#liveTimer);
    this.#liveTimer = null;
    const text = this.#liveText;
    this.#liveText = null;
    if (text) this.#outside.told(this.#stamp(text));
  }

  #stamp(event: EventBody): string {
    return JSON.stringify({ ...event, timestamp: new Date(this.#outside.now()).toISOString() });
  }
}
