import type { Command } from '../protocol/command.js';
import type { EventBody } from '../protocol/event.js';
import type { RuntimeHost } from '../runtimes/runtime.js';
import type { Dialect } from './dialect.js';

/** Makes a command that is sent again harmless. */
export interface Receipts {
  /** Whether this command took effect already; if so it is acknowledged once more. */
  repeats(command: Command): boolean;
  /** Called before a command takes effect, with the request that it answers, if any. */
  accept(command: Command, answers: string | null): void;
}

/** What every runner needs of the world. */
export interface RunnerWorld {
  readonly log: (line: string) => void;
  /** It never goes back. */
  readonly now: () => number;
  /** What the machine says, for the record. */
  readonly wallClock: () => number;
  readonly newUuid: () => string;
  readonly newRequestId: () => string;
  readonly marker: RuntimeHost['marker'];
}

/** The way to the runner's parent: over stdio, or to a worker that comes and goes. */
export interface RunnerChannel {
  readonly emit: (event: EventBody) => void;
  /** How long a request waits for its answer; null where somebody else keeps the time. */
  readonly deadlineMs: number | null;
  /** Receipts for commands; over stdio there are none. */
  readonly receipts: Receipts;
  /** A promise while the agent has to pause, else undefined. */
  readonly whenWritable: () => Promise<void> | undefined;
  /** Whether somebody takes the whole output of tools and keeps it beside the events. */
  readonly takesOutput: boolean;
  /** The comments of the thread, where somebody keeps them. */
  readonly comments?: RuntimeHost['comments'];
  /** How the parent speaks. */
  readonly dialect: Dialect;
  /** Whether somebody keeps open questions while the process is away. */
  readonly mayPark: boolean;
}
