import { runCaptured } from '../children/captured-command.js';

// An engine that is busy takes seconds to remove a container; one that does not answer is not waited for.
const patienceMs = 20_000;

/** What an engine says of a container. */
export interface EngineState {
  readonly isRunning: boolean;
  readonly hasBegun: boolean;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  readonly pid: number;
  readonly isPaused: boolean;
  /** What the check of its image says; null where it has none. */
  readonly health: string | null;
  /** The limits that it says it keeps; 0 is none. */
  readonly memory: number;
  readonly nanoCpus: number;
  readonly pidsLimit: number;
}

/** How a container engine is called: the program, and the environment that leads to its daemon. */
export interface EngineClient {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The commands of a container engine that we use; Docker's and Podman's are the same. */
export class ContainerEngine {
  readonly #client: EngineClient;

  constructor(client: EngineClient) {
    this.#client = client;
  }

  /** Null where there is no such container, or no engine that answers. */
  async inspect(name: string): Promise<EngineState | null> {
    const printed = await this.#print(['container', 'inspect', name]);
    return printed === null ? null : readState(printed);
  }

  /** Whether there is such an image; undefined where the engine does not answer. */
  async hasImage(image: string): Promise<boolean | undefined> {
    if ((await this.#print(['image', 'inspect', '--format', '{{.Id}}', image])) !== null) return true;
    return (await this.#print(['version'])) === null ? undefined : false;
  }

  /** Ends a container, where it still runs, and removes it; says whether it is gone. */
  async remove(name: string): Promise<boolean> {
    await this.#print(['rm', '--force', '--volumes', name]);
    const left = await this.#print(['ps', '--all', '--quiet', '--filter', `name=^/?${name}$`]);
    return left === '';
  }

  /** The containers with a label, with the values of others. Podman's templates know no labels (4.3), so they are inspected. */
  async labelled(filter: string, labels: readonly string[]): Promise<{ name: string; values: string[] }[]> {
    const printed = await this.#print(['ps', '--all', '--quiet', '--filter', `label=${filter}`]);
    const ids = (printed ?? '').split('\n').filter((id) => id !== '');
    const found: { name: string; values: string[] }[] = [];
    for (const id of ids) {
      // One that is gone by now is inspected in vain.
      const json = await this.#print(['container', 'inspect', id]);
      const all = json === null ? null : readLabels(json);
      if (all) found.push({ name: id, values: labels.map((label) => textOf(all[label])) });
    }
    return found;
  }

  async #print(args: readonly string[]): Promise<string | null> {
    const { file, env } = this.#client;
    const end = await runCaptured({ file, args, cwd: '/', env, signal: AbortSignal.timeout(patienceMs) });
    return end.kind === 'ended' && end.code === 0 ? end.stdout.trim() : null;
  }
}

function readState(json: string): EngineState | null {
  try {
    const [found]: unknown[] = JSON.parse(json);
    const { State: state, HostConfig: config } = record(found);
    const { Running, StartedAt, ExitCode, OOMKilled, Pid, Paused, Health } = record(state);
    const { Status } = record(Health);
    const { Memory, NanoCpus, PidsLimit } = record(config);
    return {
      isRunning: Running === true,
      // Both engines give the first moment of the calendar to what was never started.
      hasBegun: !textOf(StartedAt).startsWith('0001-'),
      exitCode: Number(ExitCode),
      oomKilled: OOMKilled === true,
      pid: Number(Pid),
      isPaused: Paused === true,
      health: typeof Status === 'string' && Status !== '' && Status !== 'none' ? Status : null,
      memory: Number(Memory ?? 0),
      nanoCpus: Number(NanoCpus ?? 0),
      // Docker writes no limit as null, 0 or -1.
      pidsLimit: Math.max(0, Number(PidsLimit ?? 0)),
    };
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readLabels(json: string): Record<string, unknown> | null {
  try {
    const [found]: unknown[] = JSON.parse(json);
    return record(record(record(found)['Config'])['Labels']);
  } catch {
    return null;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
