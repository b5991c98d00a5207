/** What processes have used until now: processor time in all, and memory at this moment. */
export interface UseReading {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Where it is read; null while it cannot be. */
export interface UseSource {
  readonly use: UseReading | null;
  /** Finds what has been started since; that costs more than a reading. */
  search?(): void;
}

/** What was used while something lasted. */
interface UseSlice {
  cpuMs: number;
  aliveMs: number;
  memoryByteSeconds: number;
  peakMemoryBytes: number;
}

// Facts come in bursts; what is shorter is counted with what comes next.
const shortestMs = 50;
const meters = new Map<string, UseMeter>();

/** Counts what the agent of one run uses, and keeps apart what fell in the time in which it waited for a person. */
export class UseMeter {
  readonly #now: () => number;
  readonly #slices = { own: nothing(), asking: nothing() };
  #source: UseSource | null = null;
  #isAsking = false;
  #cpuMs = 0;
  #at = 0;

  /** `now` counts milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The meter of a run in this process. */
  static make(run: string, now: () => number): UseMeter {
    const meter = new UseMeter(now);
    meters.set(run, meter);
    return meter;
  }

  static of(run: string): UseMeter | null {
    return meters.get(run) ?? null;
  }

  /** A process has begun; `from` is what its source had counted before, and `at` since when it is this one's. */
  follow(source: UseSource, from = source.use?.cpuMs ?? 0, at = this.#now()): void {
    this.leave();
    this.#source = source;
    this.#cpuMs = from;
    this.#at = at;
  }

  /** This moment, as it counts. */
  get now(): number {
    return this.#now();
  }

  /** It has ended; what it used last is still counted, where that can be read. */
  leave(): void {
    this.look();
    this.#source = null;
  }

  /** From now on the agent waits for a person, or does so no more. */
  turnTo(isAsking: boolean): void {
    if (isAsking === this.#isAsking) return;
    this.look();
    this.#isAsking = isAsking;
  }

  /** Counts until now, with what has been started since. */
  search(): void {
    this.#source?.search?.();
    this.look();
  }

  /** Counts until now. */
  look(): void {
    const reading = this.#source?.use;
    if (!reading) return;
    const now = this.#now();
    const ms = now - this.#at;
    const slice = this.#isAsking ? this.#slices.asking : this.#slices.own;
    slice.aliveMs += ms;
    // A process that nobody waited for takes its time along; it is not taken back.
    slice.cpuMs += Math.max(0, reading.cpuMs - this.#cpuMs);
    slice.memoryByteSeconds += reading.memoryBytes * (ms / 1000);
    slice.peakMemoryBytes = Math.max(slice.peakMemoryBytes, reading.memoryBytes);
    this.#at = now;
    this.#cpuMs = reading.cpuMs;
  }

  /** What was used since it was last taken; undefined where there is nothing to tell yet. */
  take(least = shortestMs): { own?: UseSlice; asking?: UseSlice } | undefined {
    this.look();
    const { own, asking } = this.#slices;
    if (own.aliveMs + asking.aliveMs < Math.max(least, 1)) return undefined;
    this.#slices.own = nothing();
    this.#slices.asking = nothing();
    return {
      ...(own.aliveMs > 0 ? { own: whole(own) } : {}),
      ...(asking.aliveMs > 0 ? { asking: whole(asking) } : {}),
    };
  }
}

function nothing(): UseSlice {
  return { cpuMs: 0, aliveMs: 0, memoryByteSeconds: 0, peakMemoryBytes: 0 };
}

function whole({ cpuMs, aliveMs, memoryByteSeconds, peakMemoryBytes }: UseSlice): UseSlice {
  return {
    cpuMs: Math.round(cpuMs),
    aliveMs: Math.max(1, Math.round(aliveMs)),
    memoryByteSeconds: Math.round(memoryByteSeconds),
    peakMemoryBytes: Math.round(peakMemoryBytes),
  };
}
