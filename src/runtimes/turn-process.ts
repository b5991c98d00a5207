import { type ChildCommand, type PipedChild, spawnGroup } from '../process/children/child.js';
import { endProcess } from '../process/children/kill-ladder.js';
import { OomWatch } from '../process/children/oom-watch.js';
import type { AgentExit } from '../protocol/run.js';
import type { RuntimeHost } from './runtime.js';

/** The process of one turn after the other, for agents that have no longer life than a turn. */
export class TurnProcess {
  readonly #host: Pick<RuntimeHost, 'marker' | 'log'>;
  readonly #oom = new OomWatch();
  #child: PipedChild | null = null;
  /** The ending of the present child before its time; its last looks would take the next child for a leftover. */
  #ending: Promise<unknown> | null = null;

  constructor(host: Pick<RuntimeHost, 'marker' | 'log'>) {
    this.#host = host;
  }

  /** Starts the turn's process with all of its input. */
  start(command: Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env'>, input: string): PipedChild {
    const child = spawnGroup({ ...command, dieWithParent: true });
    child.stdin.end(input);
    this.#child = child;
    return child;
  }

  /** Ends the process before its time, if there is one. */
  cutOff(): void {
    if (this.#child) this.#ending ??= endProcess({ target: this.#child, marker: this.#host.marker });
  }

  /** How the process ended; it takes everything along that it started. */
  async ended(child: PipedChild): Promise<AgentExit> {
    const exit = await child.exited;
    await this.#ending;
    this.#ending = null;
    const { alive } = await endProcess({ target: child, marker: this.#host.marker });
    for (const { pid, name } of alive) this.#host.log(`still alive after its turn: pid ${pid} (${name})`);
    this.#child = null;
    return { ...exit, oom: exit.signal === 'SIGKILL' && this.#oom.sawKill() };
  }
}
