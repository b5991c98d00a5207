import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { packageFolder } from '../../../src/process/files/package-folder.js';
import { claudeProgram } from '../../../src/runtimes/claude/binary.js';
import { waitUntil } from '../../harness/wait-until.js';
import {
  type CliRuntime,
  type CliStage,
  openCliStage,
  type Terminal,
  type TerminalOptions,
} from '../cli-stage.js';

const Shown = z.looseObject({
  id: z.string(),
  terminal: z.object({ openedBy: z.string(), openedAt: z.string(), sessionId: z.string() }).optional(),
  dispatches: z.array(z.looseObject({ state: z.string(), why: z.string().optional() })),
});

const State = z.looseObject({
  pid: z.int(),
  sessionId: z.string(),
  entrypoint: z.string(),
  status: z.string().optional(),
});

const moment = new Int32Array(new SharedArrayBuffer(4));

/** What a thread holds of a terminal, in the order of its events. */
type Said = Record<string, unknown>[];

/** The program `handraise` with agents whose own terminal program can be opened. */
export class TerminalStage implements AsyncDisposable {
  readonly cli: CliStage;
  readonly #terminals: Terminal[] = [];

  private constructor(cli: CliStage) {
    this.cli = cli;
  }

  static async open(runtime: CliRuntime = 'claude'): Promise<TerminalStage> {
    const cli = await openCliStage(runtime);
    const stage = new TerminalStage(cli);
    if (runtime === 'claude') stage.#acceptDialogs();
    if (runtime === 'codex') stage.#trustWorkspace();
    return stage;
  }

  /** What Claude Code asks a person the first time, who has answered it before. */
  #acceptDialogs(): void {
    const { stage } = this.cli;
    const config = stage.env['CLAUDE_CONFIG_DIR'] ?? '';
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, '.claude.json'),
      JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { [stage.workspace]: { hasTrustDialogAccepted: true } },
        customApiKeyResponses: { approved: [stage.env['ANTHROPIC_API_KEY']], rejected: [] },
      }),
    );
  }

  /** What Codex asks a person the first time. */
  #trustWorkspace(): void {
    const { stage } = this.cli;
    const settings = join(stage.env['CODEX_HOME'] ?? '', 'config.toml');
    appendFileSync(settings, `\n[projects."${stage.workspace}"]\ntrust_level = "trusted"\n`);
  }

  async show(): Promise<z.infer<typeof Shown>> {
    return Shown.parse(await this.cli.json('show', 'last'));
  }

  /** Opens the newest thread, and waits until its program can be typed into. */
  async attach(...options: string[]): Promise<Terminal> {
    return await this.attachIn({ columns: 120 }, ...options);
  }

  /** Any command, on a terminal that says where its cursor is, as programs may ask before they begin. */
  openIn(args: readonly string[], how: TerminalOptions = { columns: 120, rows: 40 }): Terminal {
    const terminal = this.cli.onTerminal(args, how);
    this.#terminals.push(terminal);
    terminal.process.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('\u001b[6n')) terminal.type('\u001b[1;1R');
    });
    return terminal;
  }

  async attachIn(how: TerminalOptions, ...options: string[]): Promise<Terminal> {
    const terminal = this.openIn(['attach', 'last', ...options], how);
    await terminal.saying('Leave the program');
    await waitUntil('the program is recorded', async () => this.program() !== undefined);
    return terminal;
  }

  /** The agent's own program, as a person starts it. */
  async byHand(): Promise<Terminal> {
    const program = claudeProgram({ env: this.cli.stage.env, packageFolder });
    const terminal = this.cli.onTerminal([], {
      program: [program, '--permission-mode', 'default'],
      columns: 120,
    });
    this.#terminals.push(terminal);
    await waitUntil('the program runs', () => this.program() !== undefined);
    return terminal;
  }

  /** The pid of the terminal program, by what Claude Code says of itself. */
  program(): number | undefined {
    return this.#state()?.pid;
  }

  /** The session that it has open, by the same words. */
  session(): string | undefined {
    return this.#state()?.sessionId;
  }

  /** Types a line, and sends it when it is there. */
  async typed(terminal: Terminal, text: string): Promise<void> {
    terminal.type(text);
    // Words are drawn one by one, with the cursor moved in between.
    await terminal.saying(text.split(' ').at(-1) ?? '');
    terminal.type('\r');
  }

  /** What the model was sent last, as text. */
  lastHeard(): string {
    return JSON.stringify(this.cli.stage.simulator.requests.at(-1)?.conversation);
  }

  /** Types a message, and waits until its turn is over. */
  async say(terminal: Terminal, text: string): Promise<void> {
    const { simulator } = this.cli.stage;
    await this.typed(terminal, text);
    const words = JSON.stringify(JSON.stringify(text)).slice(3, -3);
    await waitUntil(`the model has heard ${text}`, () =>
      simulator.requests.some((request) => JSON.stringify(JSON.stringify(request)).includes(words)),
    );
    await waitUntil('the turn is over', () => this.#state()?.status === 'idle');
  }

  /** Waits until the session's file holds these words; Claude Code writes it some milliseconds after it has spoken. */
  async saved(words: string): Promise<void> {
    const projects = join(this.cli.stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
    const place = { recursive: true, encoding: 'utf8' } as const;
    await waitUntil(`${words} is saved`, () =>
      readdirSync(projects, place)
        .filter((file) => file.endsWith('.jsonl'))
        .some((file) => readFileSync(join(projects, file), 'utf8').includes(`"text":"${words}"`)),
    );
  }

  #state() {
    const folder = join(this.cli.stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'sessions');
    return files(folder)
      .flatMap((file) => State.safeParse(json(join(folder, file))).data ?? [])
      .find(({ entrypoint, pid }) => entrypoint === 'cli' && lives(pid));
  }

  /** What the thread holds that was said in terminals. */
  async said(): Promise<Said> {
    const { stdout } = await this.cli.run('logs', 'last', '--json');
    return stdout
      .split('\n')
      .filter((line) => line.includes('"terminal_'))
      .map((line) => {
        const {
          seq: _seq,
          timestamp: _at,
          runId: _run,
          ...event
        } = z.looseObject({}).parse(JSON.parse(line));
        return event;
      });
  }

  async takenBack(): Promise<void> {
    await waitUntil('the thread is taken back', async () => (await this.show()).terminal === undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = this.program();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    for (const { process: child } of this.#terminals) child.kill('SIGTERM');
    await this.cli[Symbol.asyncDispose]();
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function files(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Claude Code writes into the file as it stands, so that a part of it may be read: it is read again then. */
function json(file: string): unknown {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if (!(error instanceof SyntaxError)) return null;
      Atomics.wait(moment, 0, 0, 5);
    }
  }
  return null;
}
