import { type ChildCommand, type PipedChild, spawnGroup } from '../process/children/child.js';
import { type EndReport, endProcess, type Grace } from '../process/children/kill-ladder.js';
import { OomWatch } from '../process/children/oom-watch.js';
import type { EnvironmentMarker } from '../process/families/process-source.js';
import type { AgentExit } from '../protocol/run.js';

const lastWordsLength = 2000;

/** The process of an agent: it dies with this one, and leaves nothing behind. */
export class AgentProcess {
  readonly #marker: EnvironmentMarker;
  readonly #log: (line: string) => void;
  readonly #oom = new OomWatch();
  #child: PipedChild | null = null;
  #lastWords = '';

  constructor(marker: EnvironmentMarker, log: (line: string) => void) {
    this.#marker = marker;
    this.#log = log;
  }

  /** One after the other: a process that is started again takes the place of the one that has ended. */
  start(command: Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env'>): PipedChild {
    const child = spawnGroup({ ...command, dieWithParent: true });
    this.#child = child;
    this.#lastWords = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength);
      this.#log(text.trimEnd());
    });
    return child;
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
    return {
      exitCode: exit.exitCode,
      signal: exit.signal,
      oom: exit.signal === 'SIGKILL' && this.#oom.sawKill(),
    };
  }

  /** Ends the process, its tools and its MCP servers, whatever state they are in; first by asking, where that can help. */
  async end(graceMs: Partial<Grace>, ask?: () => Promise<void>): Promise<EndReport | null> {
    if (!this.#child) return null;
    return await endProcess({
      target: this.#child,
      marker: this.#marker,
      ...(ask ? { ask } : { closeStdin: true }),
      graceMs,
    });
  }
}
