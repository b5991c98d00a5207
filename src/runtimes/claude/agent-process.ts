import type { Options } from '@anthropic-ai/claude-agent-sdk/core';
import { type PipedChild, spawnGroup } from '../../process/child.js';
import { type EndReport, endProcess } from '../../process/kill-ladder.js';
import { OomWatch } from '../../process/oom-watch.js';
import type { EnvironmentMarker } from '../../process/process-source.js';
import type { AgentExit } from '../../protocol/run.js';

type Spawn = NonNullable<Options['spawnClaudeCodeProcess']>;

const lastWordsLength = 2000;

/** The `claude` process: it dies with this one, and leaves nothing behind. */
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

  readonly spawn: Spawn = ({ command, args, cwd, env, signal }) => {
    const child = spawnGroup({ file: command, args, cwd: cwd ?? '/', env, dieWithParent: true });
    this.#child = child;
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength);
      this.#log(text.trimEnd());
    });
    signal.addEventListener('abort', () => child.process.kill('SIGTERM'), { once: true });
    return child.process;
  };

  /** The end of what the process wrote to stderr, which says why it died. */
  get lastWords(): string {
    return this.#lastWords.trim();
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
  async end(ask?: () => Promise<void>): Promise<EndReport | null> {
    if (!this.#child) return null;
    return await endProcess({
      target: this.#child,
      marker: this.#marker,
      ...(ask ? { ask } : { closeStdin: true }),
      graceMs: { ask: 2000, stdin: 2000 },
    });
  }
}
