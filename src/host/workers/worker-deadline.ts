import { deadlineSince } from '../../protocol/detached.js';
import type { RunId } from '../../protocol/id.js';
import type { AttachedRunners } from '../runs/attached-runners.js';

export interface WorkerDeadlineParts {
  /** How long agents may go on after the last renewal; null where nobody else could take their work. */
  readonly limitMs: number | null;
  /** Milliseconds since the machine started, sleep included: the same clock in every process of the machine. */
  readonly uptime: () => number;
  readonly runners: AttachedRunners;
}

/**
 * Until when the agents of this worker may go on. It is renewed when a heartbeat is committed, and counts from before the
 * commit was asked for; so whoever sees no heartbeat for longer than this knows that nothing runs here any more.
 */
export class WorkerDeadline {
  readonly #parts: WorkerDeadlineParts;
  readonly #attached = new Set<RunId>();
  #renewedAt: number | null = null;

  constructor(parts: WorkerDeadlineParts) {
    this.#parts = parts;
  }

  get now(): number {
    return this.#parts.uptime();
  }

  /** By the time since the machine started; null where agents may go on for ever. */
  get until(): number | null {
    const { limitMs } = this.#parts;
    return limitMs === null ? null : (this.#renewedAt ?? 0) + limitMs;
  }

  /** Whether somebody else may be at this worker's work by now, or soon. */
  get isPast(): boolean {
    return this.until !== null && this.now >= this.until;
  }

  /** Whether every runner that is attached keeps to deadlines; those of older versions do not know them. */
  get isKept(): boolean {
    return [...this.#attached].every((runId) => this.#parts.runners.speaks(runId, deadlineSince));
  }

  /** A heartbeat was committed that was asked for at this time. */
  renew(askedAt: number): void {
    this.#renewedAt = Math.max(askedAt, this.#renewedAt ?? 0);
    for (const runId of this.#attached) this.#tell(runId);
  }

  /** A runner is attached, until this is disposed of. */
  attach(runId: RunId): Disposable {
    this.#attached.add(runId);
    this.#tell(runId);
    return { [Symbol.dispose]: () => void this.#attached.delete(runId) };
  }

  #tell(runId: RunId): void {
    const { until } = this;
    const { runners } = this.#parts;
    if (until !== null && runners.speaks(runId, deadlineSince))
      runners.send(runId, { type: 'deadline', until });
  }
}
