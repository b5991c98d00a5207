import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

const patienceMs = 10_000;
const mostBytes = 64 * 1024;
const versionWords = /\b\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?/;

/** What programs say about their version when they are asked for it; each is asked once, until its file changes. */
export class ProgramVersions {
  readonly #env: Readonly<Record<string, string>>;
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** Undefined where it does not say, or takes too long. */
  async of(program: string): Promise<string | undefined> {
    const changedAt = statSync(program, { throwIfNoEntry: false })?.mtimeMs;
    const key = `${program} ${changedAt}`;
    const known = this.#known.get(key) ?? this.#ask(program);
    this.#known.set(key, known);
    return await known;
  }

  async #ask(program: string): Promise<string | undefined> {
    const { PATH = '', HOME = '/' } = this.#env;
    return await new Promise((resolve) => {
      execFile(
        program,
        ['--version'],
        { cwd: '/', env: { PATH, HOME }, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: mostBytes },
        (error, stdout) => resolve(error ? undefined : versionWords.exec(stdout)?.[0]),
      );
    });
  }
}
