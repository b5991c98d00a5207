import { type ChildCommand, type PipedChild, spawnGroup } from '../process/children/child.js';
import { endProcess } from '../process/children/kill-ladder.js';
import { OomWatch } from '../process/children/oom-watch.js';
import { RunMemory } from '../process/children/run-memory.js';
import { UseMeter } from '../process/children/use-meter.js';
import type { AgentExit } from '../protocol/run.js';
import { AgentContainer } from './agent-container.js';
import { followUse, isOutOfMemory } from './agent-process.js';
import type { Launch, RuntimeHost } from './runtime.js';

/** The process of one turn after the other, for agents that have no longer life than a turn. */
export class TurnProcess {
  readonly #launch: Launch;
  readonly #host: Pick<RuntimeHost, 'marker' | 'log' | 'emit'>;
  readonly #memory: RunMemory | null;
  readonly #oom = new OomWatch();
  #child: PipedChild | null = null;
  #container: AgentContainer | null = null;
  /** The ending of the present child before its time; its last looks would take the next child for a leftover. */
  #ending: Promise<unknown> | null = null;

  constructor(launch: Launch, host: Pick<RuntimeHost, 'marker' | 'log' | 'emit'>) {
    this.#launch = launch;
    this.#host = host;
    this.#memory = RunMemory.of(host.marker.value);
  }

  /** Starts the turn's process with all of its input. */
  start(command: Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env'>, input: string): PipedChild {
    const container = this.#launch.container
      ? new AgentContainer({ launch: this.#launch, host: this.#host })
      : null;
    const child = spawnGroup({ ...(container?.command(command) ?? command), dieWithParent: true });
    container?.watch(child);
    this.#memory?.add(child.pid);
    if (!container) followUse(this.#host.marker.value, child.pid);
    child.stdin.end(input);
    this.#container = container;
    this.#child = child;
    return child;
  }

  /** Ends the process before its time, if there is one. */
  cutOff(): void {
    this.#container?.expectEnd();
    if (this.#child) this.#ending ??= endProcess({ target: this.#child, marker: this.#host.marker });
  }

  /** How the process ended; it takes everything along that it started. */
  async ended(child: PipedChild): Promise<AgentExit> {
    const exit = await child.exited;
    await this.#ending;
    this.#ending = null;
    const { alive } = await endProcess({ target: child, marker: this.#host.marker });
    const inside = await this.#container?.ended(exit);
    for (const { pid, name } of alive) this.#host.log(`still alive after its turn: pid ${pid} (${name})`);
    this.#child = null;
    if (!inside) UseMeter.of(this.#host.marker.value)?.leave();
    if (inside) return inside;
    const oom = exit.signal === 'SIGKILL' && isOutOfMemory(this.#memory, this.#oom);
    // The next turn has a process of its own.
    if (oom) this.#memory?.told();
    return { ...exit, oom };
  }
}
