import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { openCodexStage } from '../runtimes/codex/codex-driver.js';
import { openOpencodeStage } from '../runtimes/opencode/opencode-driver.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

/** What a command printed, and how it ended. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that is running. */
export interface Started {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Waits until these words come, after the last ones that were waited for. */
  readonly saying: (words: string) => Promise<void>;
}

/** The program `handraise` in a private home, with the real agent and the scripted model. */
export interface CliStage extends AsyncDisposable {
  readonly stage: Stage;
  readonly home: string;
  /** What its commands are started with; may be added to before the first. */
  readonly env: Record<string, string>;
  run(...args: string[]): Promise<Finished>;
  /** What a command printed as JSON. */
  json(...args: string[]): Promise<unknown>;
  start(args: readonly string[], options?: { readonly env?: Record<string, string> }): Started;
  /** The command on a terminal of its own, 100 columns wide unless told otherwise. */
  onTerminal(args: readonly string[], options?: TerminalOptions): Terminal;
  workerPid(): number;
}

export interface TerminalOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  /** Without it the terminal does not know how many it has. */
  readonly rows?: number;
  /** A shell stays around it, as around what a person types; without one the terminal hangs up when the program ends. */
  readonly inShell?: boolean;
  /** Another program in place of `handraise`. */
  readonly program?: readonly string[];
}

export interface Terminal extends Started {
  readonly type: (keys: string) => void;
}

/** The agents with which the program is tried. */
export type CliRuntime = 'claude' | 'codex' | 'opencode';

const stages: Record<CliRuntime, () => Promise<Stage>> = {
  claude: () => openStage('claude'),
  codex: () => openCodexStage(),
  opencode: () => openOpencodeStage(),
};

export async function openCliStage(runtime: CliRuntime = 'claude'): Promise<CliStage> {
  const stage = await stages[runtime]();
  const home = join(stage.home, 'handraise');
  const env: Record<string, string> = { ...stage.env, HANDRAISE_HOME: home, HANDRAISE_PORT: '0' };

  const cli: CliStage = {
    env,
    stage,
    home,
    run: (...args) => cli.start(args).finished,
    json: async (...args) => {
      const { code, stdout, stderr } = await cli.run(...args, '--json');
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    start: (args, options = {}) =>
      follow(
        spawn(process.execPath, [program, ...args], {
          cwd: stage.workspace,
          env: { ...env, ...options.env },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    onTerminal: (
      args,
      { env: further = {}, columns = 100, rows = 0, inShell = false, program: other } = {},
    ) => {
      const command = [
        'stty',
        'cols',
        String(columns),
        'rows',
        String(rows),
        ';',
        ...(inShell ? [] : ['exec']),
        ...(other ?? [process.execPath, program]),
        ...args.map(quoted),
        // It does not read: two readers of one terminal take each other's keys.
        ...(inShell ? ['; sleep 600'] : []),
      ].join(' ');
      const options =
        process.platform === 'darwin'
          ? ['-q', '/dev/null', 'sh', '-c', command]
          : ['-qefc', command, '/dev/null'];
      const child = spawn('script', options, {
        cwd: stage.workspace,
        env: { ...env, SHELL: '/bin/sh', TERM: 'xterm', ...further },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return { ...follow(child), type: (keys) => void child.stdin.write(keys) };
    },
    workerPid: () => JSON.parse(readFileSync(join(home, 'worker.json'), 'utf8')).pid,
    async [Symbol.asyncDispose]() {
      await cli.run('down', '--stop-agents');
      await stage[Symbol.asyncDispose]();
    },
  };
  return cli;
}

function follow(child: ChildProcess): Started {
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const finished = Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
  ]).then(([stdout, stderr, [code]]) => ({ code: Number(code), stdout, stderr }));
  let heard = 0;
  let isOver = false;
  void finished.then(() => (isOver = true));
  return {
    process: child,
    finished,
    saying: async (words) => {
      await waitUntil(`it says ${JSON.stringify(words)}`, () => said.includes(words, heard) || isOver).catch(
        (error: unknown) => {
          throw new Error(`${String(error)} Its last words:\n${said.slice(heard).slice(-4000)}`);
        },
      );
      const place = said.indexOf(words, heard);
      if (place < 0) throw new Error(`It ended without saying ${JSON.stringify(words)}:\n${said}`);
      heard = place + words.length;
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The program on the terminal; `script` is its parent. */
export async function pidBelow(parent: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return rows.find(([ppid]) => ppid === parent)?.[1] ?? Number.NaN;
}
