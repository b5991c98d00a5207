import { RunMemory } from '../process/children/run-memory.js';
import { ownIdentity } from '../process/families/own-identity.js';
import { runMarker } from '../process/families/run-marker.js';
import type { Launch, ParkedAgent, Runtime } from '../runtimes/runtime.js';
import type { RunnerWorld } from './runner-channel.js';

/** The agent that a spare runner holds until it is a run; both carry the marker of this process, so that nothing of it strays. */
export class ParkedRunner {
  readonly #agent: ParkedAgent;
  readonly #onSignal = () => void this.leave().finally(() => process.exit(0));

  private constructor(agent: ParkedAgent) {
    this.#agent = agent;
    process.once('SIGTERM', this.#onSignal);
  }

  /** Null where this runtime, or this launch, cannot have one. */
  static async park(
    runtime: Runtime,
    launch: Launch,
    world: Pick<RunnerWorld, 'log' | 'now'>,
  ): Promise<ParkedRunner | null> {
    const marker = runMarker(ownIdentity());
    // The agent has to be in the group of the run from its first moment.
    const memory = RunMemory.make(marker.value);
    const agent = await runtime.park?.(launch, { marker, ...world });
    if (agent) return new ParkedRunner(agent);
    await memory?.remove();
    return null;
  }

  /** Signals are the run's from now on. */
  stopWatching(): void {
    process.off('SIGTERM', this.#onSignal);
  }

  /** The same runtime, whose first session takes this agent where it can. */
  openedBy(runtime: Runtime): Runtime {
    return { ...runtime, open: (launch, host) => this.#agent.open(launch, host) };
  }

  /** Nobody wants it: it is ended, and its group removed. */
  async leave(): Promise<void> {
    await this.#agent[Symbol.asyncDispose]();
    await RunMemory.of(runMarker(ownIdentity()).value)?.remove();
  }
}
