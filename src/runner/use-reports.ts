import type { UseMeter } from '../process/children/use-meter.js';
import type { EventBody } from '../protocol/event.js';

const searchMs = 1000;
// An hour of one command is not told only when it ends: its runner could be killed before.
const reportMs = 60_000;

/**
 * Tells what the agent uses. Where a status ends, evidence says so; what was used until then goes along with that evidence,
 * so that it is written in the same place and the same order, and no event is made for it.
 */
export class UseReports {
  readonly #meter: UseMeter;
  readonly #emit: (event: EventBody) => void;
  readonly #isAsking: () => boolean;
  readonly #timer: NodeJS.Timeout;
  #untoldMs = 0;

  constructor(
    meter: UseMeter,
    { emit, isAsking }: { readonly emit: (event: EventBody) => void; readonly isAsking: () => boolean },
  ) {
    this.#meter = meter;
    this.#emit = emit;
    this.#isAsking = isAsking;
    this.#timer = setInterval(() => this.#tick(), searchMs);
    this.#timer.unref();
  }

  /** The event as it is written. */
  with(event: EventBody): EventBody {
    this.look();
    if (event.type !== 'status_evidence') return event;
    const used = this.#meter.take(event.fact === 'exited' ? 0 : undefined);
    if (!used) return event;
    this.#untoldMs = 0;
    return { ...event, used };
  }

  /** Somebody was asked, or has answered. */
  look(): void {
    this.#meter.turnTo(this.#isAsking());
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.look();
    this.#meter.search();
    this.#untoldMs += searchMs;
    if (this.#untoldMs < reportMs) return;
    this.#untoldMs = 0;
    const used = this.#meter.take();
    if (used) this.#emit({ type: 'resources_used', used });
  }
}
