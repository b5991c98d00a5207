import { type ChildCommand, type PipedChild, spawnGroup } from '../process/children/child.js';
import { type EndReport, endProcess, type Grace } from '../process/children/kill-ladder.js';
import { OomWatch } from '../process/children/oom-watch.js';
import { RunMemory } from '../process/children/run-memory.js';
import { UseMeter } from '../process/children/use-meter.js';
import type { CallLine } from '../process/containers/call-line.js';
import { FamilyUse } from '../process/families/family-use.js';
import { signalGroup } from '../process/families/signal-process.js';
import type { AgentExit } from '../protocol/run.js';
import { AgentContainer } from './agent-container.js';
import type { Launch, RuntimeHost } from './runtime.js';

const lastWordsLength = 2000;

/** The process of an agent: it dies with this one, and leaves nothing behind. */
export class AgentProcess {
  readonly #launch: Launch | null;
  readonly #host: Pick<RuntimeHost, 'marker' | 'log' | 'emit'>;
  readonly #isServer: boolean;
  readonly #memory: RunMemory | null;
  readonly #oom = new OomWatch();
  #child: PipedChild | null = null;
  #container: AgentContainer | null = null;
  #lastWords = '';

  constructor(
    launch: Launch | null,
    host: Pick<RuntimeHost, 'marker' | 'log' | 'emit'>,
    { isServer = false }: { /** It is called on a port of its own. */ readonly isServer?: boolean } = {},
  ) {
    this.#launch = launch;
    this.#host = host;
    this.#isServer = isServer;
    this.#memory = RunMemory.of(host.marker.value);
  }

  /** One after the other: a process that is started again takes the place of the one that has ended. */
  start(command: Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env'>): PipedChild {
    const container = this.#launch?.container
      ? new AgentContainer({ launch: this.#launch, host: this.#host, isServer: this.#isServer })
      : null;
    const child = spawnGroup({ ...(container?.command(command) ?? command), dieWithParent: true });
    container?.watch(child);
    this.#memory?.add(child.pid);
    if (!container) followUse(this.#host.marker.value, child.pid);
    this.#container = container;
    this.#child = child;
    this.#lastWords = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength);
      this.#host.log(text.trimEnd());
    });
    return child;
  }

  /** The way to the port of a server in a container; outside of one there is none, because the port is there. */
  get calls(): CallLine | null {
    return this.#container?.calls ?? null;
  }

  /** A process that waited until now works for a run that is counted; what it used so far belongs to the run. */
  begins(): void {
    if (this.#child) followUse(this.#host.marker.value, this.#child.pid, 0);
  }

  /** Kills a process that has done nothing yet, and ends when it is gone. */
  async kill(): Promise<void> {
    if (!this.#child) return;
    signalGroup(this.#child.identity, 'SIGKILL');
    await this.#child.exited;
  }

  /** The end of what the process wrote to stderr, which says why it died. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  /** Says that nothing more comes. */
  closeInput(): void {
    this.#child?.stdin.end();
  }

  /** Settles when the process has ended; null when it never started. */
  async exited(): Promise<AgentExit | null> {
    const exit = await this.#child?.exited;
    if (!exit) return null;
    if (!this.#container) UseMeter.of(this.#host.marker.value)?.leave();
    if (this.#container) return await this.#container.ended(exit);
    return {
      exitCode: exit.exitCode,
      signal: exit.signal,
      oom: exit.signal === 'SIGKILL' && isOutOfMemory(this.#memory, this.#oom),
    };
  }

  /** Ends the process, its tools and its MCP servers, whatever state they are in; first by asking, where that can help. */
  async end(graceMs: Partial<Grace>, ask?: () => Promise<void>): Promise<EndReport | null> {
    if (!this.#child) return null;
    const { exitCode, signalCode } = this.#child.process;
    if (exitCode === null && signalCode === null) this.#container?.expectEnd();
    const ended = await endProcess({
      target: this.#child,
      marker: this.#host.marker,
      ...(ask ? { ask } : { closeStdin: true }),
      graceMs,
    });
    if (ended.exit) await this.#container?.ended(ended.exit);
    return ended;
  }
}

/** The run's own control group knows; without one, the group that we share with our neighbours has to do. */
export function isOutOfMemory(memory: RunMemory | null, shared: OomWatch): boolean {
  return memory ? memory.newKills > 0 : shared.sawKill();
}

/** Counts what a process uses from now on, where somebody wants to know. */
export function followUse(run: string, pid: number, from?: number): void {
  const group = RunMemory.of(run);
  UseMeter.of(run)?.follow(group?.use ? group : new FamilyUse(pid), from);
}
