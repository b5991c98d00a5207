import type { Said, SavedSessionEntry } from '../domain/run/terminal-session.js';
import { Failure } from '../protocol/failure.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { TerminalCommand } from '../protocol/terminal.js';
import type { ContainerCatalog } from './container-catalog.js';
import type { RuntimeProfile } from './runtime.js';
import type { ProgramPlace, RuntimeTerminal } from './runtime-terminal.js';

interface Program {
  readonly runtime: RuntimeName;
  readonly posture: Posture;
}
interface TerminalPlace extends Pick<ProgramPlace, 'env' | 'packageFolder'> {
  readonly containers: ContainerCatalog;
  /** The program of runners. */
  readonly runner: string;
}
interface Session extends Program {
  readonly sessionId: string;
}

/** The terminal programs of all runtimes, and their stores of sessions, in one environment. */
export class RuntimeTerminals {
  readonly #profiles: readonly RuntimeProfile[];
  readonly #place: TerminalPlace;

  constructor(profiles: readonly RuntimeProfile[], place: TerminalPlace) {
    this.#profiles = profiles;
    this.#place = place;
  }

  has(runtime: RuntimeName): boolean {
    return this.#profiles.some(({ name, terminal }) => name === runtime && terminal !== undefined);
  }

  /** What to start; of the environment only what says where the session lies. */
  command(session: Session & { readonly cwd: string }): TerminalCommand {
    const { sessionId, cwd, posture } = session;
    const terminal = this.#of(session);
    const env = this.#env(session);
    const { file, args } = terminal.command({ ...this.#place, env, sessionId, cwd, posture });
    if (posture.container) return this.#inContainer(session, [file, ...args]);
    const handed = ['HOME', ...terminal.placeVariables];
    return {
      file,
      args: [...args],
      cwd,
      env: Object.fromEntries(
        handed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
      ),
      missingEnv: Object.keys(posture.env ?? {}).filter((name) => !handed.includes(name)),
    };
  }

  /** The same program of the image; a runner joins it to the terminal, and to nothing else of the machine. */
  #inContainer(
    { runtime, cwd, posture }: Session & { readonly cwd: string },
    command: readonly string[],
  ): TerminalCommand {
    const { runner, containers } = this.#place;
    const place = ['--runtime', runtime, '--cwd', cwd, '--container-folder', containers.folder];
    const what = ['--container', JSON.stringify(posture.container), '--terminal', JSON.stringify(command)];
    return {
      file: process.execPath,
      args: [runner, ...place, ...what],
      cwd,
      env: {},
      missingEnv: Object.keys(posture.env ?? {}),
    };
  }

  async mark(session: Session): Promise<string | null> {
    return await this.#of(session).mark({ env: this.#env(session), sessionId: session.sessionId });
  }

  async said(session: Session & { readonly after?: string }): Promise<Said> {
    const { sessionId, after } = session;
    const place = { env: this.#env(session), sessionId };
    return await this.#of(session).said(after === undefined ? place : { ...place, after });
  }

  current(program: Program, pid: number): string | null {
    return this.#of(program).current?.({ env: this.#env(program), pid }) ?? null;
  }

  /** Newest first, so many of each runtime at most. */
  async list(limit: number): Promise<readonly SavedSessionEntry[]> {
    const { env } = this.#place;
    const lists = await Promise.all(
      this.#profiles.map(async ({ terminal }) => (await terminal?.list({ env, limit })) ?? []),
    );
    return lists.flat();
  }

  #of({ runtime }: Program): RuntimeTerminal {
    const terminal = this.#profiles.find(({ name }) => name === runtime)?.terminal;
    if (terminal) return terminal;
    throw new Failure(
      'unsupported_by_runtime',
      `${runtime} has no terminal program that Handraise can open.`,
    );
  }

  #env({ runtime, posture }: Program): Readonly<Record<string, string>> {
    return this.#place.containers.placeOf(runtime, posture);
  }
}
