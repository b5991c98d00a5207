import { type ChildProcess, execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../files/errno.js';
import { RefusalError } from '../files/refusal.js';

const TIME_LIMIT_MS = 30_000;
// A killed program is gone at once, unless it waits for a disk.
const LAST_BREATH_MS = 10_000;
const OUTPUT_LIMIT = 8 * 1024 * 1024;
// Git reads what it knows of every worktree first, and gives up over one that somebody is just adding (2.39: two at once, 1 in 75).
const HALF_ADDED = /failed to read \S+\/worktrees\/[^\n]*\/commondir/;
const HALF_ADDED_TRIES = 20;
const HALF_ADDED_PAUSE_MS = 50;

// What a repository's own config could make git start, or read from elsewhere.
const SAFE_CONFIG: readonly ConfigEntry[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
];

type ConfigEntry = readonly [key: string, value: string];

/** Where git is run; it gets PATH, HOME and XDG_CONFIG_HOME of the environment and nothing else. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The repository, where it is not to be looked for from `cwd` upward. */
  readonly gitDir?: string;
  /** Variables of git's own: where its index, its objects and its work tree are, whose name a commit carries. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whose filters may run over files: the user's own (LFS), or nobody's. */
  readonly filters?: 'users' | 'none';
}

/** What a git command may need beside its arguments. */
export interface GitRunOptions {
  readonly timeLimitMs?: number;
  /** What it reads from stdin. */
  readonly input?: string;
  /** Variables of git's own for this command. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** How one git command ended; `truncated` when its output was longer than we keep. */
export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** The real git in one folder, kept from starting the programs that the repository's config names. */
export class Git {
  readonly #cwd: string;
  readonly #env: Record<string, string>;

  private constructor(cwd: string, env: Record<string, string>) {
    this.#cwd = cwd;
    this.#env = env;
  }

  static async open(place: GitPlace): Promise<Git> {
    const probe = new Git(place.cwd, environment(place, SAFE_CONFIG));
    const filters = await probe.#unwantedFilters(place.filters ?? 'users');
    if (filters.length === 0) return probe;
    return new Git(place.cwd, environment(place, [...SAFE_CONFIG, ...filters]));
  }

  /** Runs git to its end, whatever its exit code; only a checkout may need more time than the usual. */
  async run(args: readonly string[], options: GitRunOptions = {}): Promise<GitOutput> {
    for (let tries = 1; ; tries += 1) {
      const output = await this.#once(args, options);
      if (output.code === 0 || tries === HALF_ADDED_TRIES || !HALF_ADDED.test(output.stderr)) return output;
      await delay(HALF_ADDED_PAUSE_MS);
    }
  }

  async #once(
    args: readonly string[],
    { timeLimitMs = TIME_LIMIT_MS, input = '', variables, signal }: GitRunOptions,
  ): Promise<GitOutput> {
    return await new Promise((resolve, reject) => {
      const child = execFile(
        'git',
        ['--no-optional-locks', '--no-pager', ...args],
        {
          cwd: this.#cwd,
          env: { ...this.#env, ...variables },
          encoding: 'utf8',
          maxBuffer: OUTPUT_LIMIT,
          timeout: timeLimitMs,
          killSignal: 'SIGKILL',
          ...(signal && { signal }),
        },
        (error, stdout, stderr) => {
          const output = { code: 0, stdout, stderr, truncated: false };
          if (error === null) resolve(output);
          else if (typeof error.code === 'number') resolve({ ...output, code: error.code });
          else if (errnoOf(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
            resolve({ ...output, truncated: true });
          else
            whenEnded(child, () =>
              reject(new RefusalError(whyNotRun(error, { command: args[0] ?? '', timeLimitMs }))),
            );
        },
      );
      // `git diff` and others read a file called "-" from stdin, which would wait for ever.
      // One that ends before it has read everything says why by its exit code.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  }

  /** Runs a git command that is expected to succeed, and refuses with git's own words when it does not. */
  async succeed(args: readonly string[], options: GitRunOptions = {}): Promise<GitOutput> {
    const output = await this.run(args, options);
    if (output.code !== 0) throw new RefusalError(`git ${args[0]} failed: ${firstLine(output.stderr)}`);
    return output;
  }

  /** The whole output of a git command that is expected to succeed. */
  async read(args: readonly string[], options: GitRunOptions = {}): Promise<string> {
    const { stdout, truncated } = await this.succeed(args, options);
    if (truncated) throw new RefusalError(`git ${args[0]} printed more than ${OUTPUT_LIMIT} bytes.`);
    return stdout;
  }

  // `git status` runs clean filters; those of the user's own config (LFS) are trusted, the repository's are not.
  async #unwantedFilters(wanted: 'users' | 'none'): Promise<ConfigEntry[]> {
    const listed = await this.run([
      'config',
      '--show-scope',
      '--name-only',
      '-z',
      '--get-regexp',
      '^filter\\.',
    ]);
    const fields = listed.stdout.split('\0');
    const names = new Set<string>();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const key = fields[at + 1] ?? '';
      const isLocal = fields[at] === 'local' || fields[at] === 'worktree';
      if (isLocal || wanted === 'none') names.add(key.slice(0, key.lastIndexOf('.')));
    }
    return [...names].flatMap((name): ConfigEntry[] => [
      [`${name}.clean`, ''],
      [`${name}.smudge`, ''],
      [`${name}.process`, ''],
      [`${name}.required`, 'false'],
    ]);
  }
}

/** Goes on once git has ended: an abort tells of it before it comes. */
function whenEnded(child: ChildProcess, goOn: () => void): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return goOn();
  const timer = setTimeout(goOn, LAST_BREATH_MS);
  child.once('exit', () => {
    clearTimeout(timer);
    goOn();
  });
}

/** Git's message without its prefix, short enough for an answer. */
export function firstLine(stderr: string): string {
  const line = stderr.trim().split('\n', 1)[0] ?? '';
  return line.replace(/^(fatal|error): /, '').slice(0, 300);
}

function environment(
  { env, gitDir, variables }: GitPlace,
  config: readonly ConfigEntry[],
): Record<string, string> {
  const entries = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    // A relative entry in PATH would let the workspace bring its own git.
    PATH: (env.PATH ?? '').split(':').filter(isAbsolute).join(':'),
    ...(env.HOME === undefined ? {} : { HOME: env.HOME }),
    ...(env.XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME }),
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone fetches missing blobs in the middle of a diff, through programs that its config names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // Unlike `-c`, these carry keys that contain an equals sign.
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(entries),
    ...variables,
  };
}

function whyNotRun(
  error: Error & { killed?: boolean },
  { command, timeLimitMs }: { command: string; timeLimitMs: number },
): string {
  if (error.killed) return `git ${command} took longer than ${timeLimitMs / 1000} s and was ended.`;
  return `git could not be run in the workspace (${errnoOf(error) ?? 'ended by a signal'}).`;
}
