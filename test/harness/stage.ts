import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  runtimeEnvironment,
  type ScriptInput,
  type Simulator,
  type SteeredRuntime,
  startSimulator,
  writeRuntimeFiles,
} from '../../src/simulator/index.js';
import { HomeGuard } from './home-guard.js';
import { equipOpencode } from './opencode-config.js';
import { listeningPorts } from './port-guard.js';
import { type MarkedProcess, markedProcesses, markVariable } from './process-guard.js';
import { installRuntime } from './runtime-install.js';
import { holdsWithin } from './wait-until.js';

/** A simulator and a private home in which one real runtime plays; leaving it fails if anything leaked. */
export interface Stage extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly home: string;
  readonly workspace: string;
  readonly env: Record<string, string>;
  readonly mark: string;
}

/** What is left over after a stage was closed. */
interface Leaks {
  files: string[];
  processes: MarkedProcess[];
  ports: number[];
}

export interface StageOptions {
  readonly script?: ScriptInput;
  /** The folders that all agents of the machine share. */
  readonly shared?: readonly string[];
  /** For how long a runtime's last children may outlive it. */
  readonly graceMs?: number;
}

export async function openStage(
  runtime: SteeredRuntime,
  { script, shared, graceMs = 60_000 }: StageOptions = {},
): Promise<Stage> {
  const portsBefore = await listeningPorts(process.pid);
  const home = await realpath(await mkdtemp(join(tmpdir(), 'stage-')));
  const guard = await HomeGuard.over(basename(home), shared ? { shared } : {});
  const workspace = join(home, 'workspace');
  await mkdir(workspace);
  const simulator = await startSimulator(script ? { script } : {});
  const environment = runtimeEnvironment(runtime, { url: simulator.url, home });
  await writeRuntimeFiles(environment);
  if (runtime === 'opencode') await equipOpencode(await installRuntime('opencode'), environment.env);
  const mark = randomUUID();

  return {
    simulator,
    home,
    workspace,
    mark,
    env: {
      PATH: process.env.PATH ?? '',
      // Claude Code refuses bypassPermissions to root unless it is told that it sits in a sandbox.
      IS_SANDBOX: '1',
      ...environment.env,
      [markVariable]: mark,
    },
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]();
      const leaks = await findLeaks({ guard, mark, portsBefore, graceMs });
      for (const { pid } of leaks.processes) kill(pid);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
      if (Object.values(leaks).some((found) => found.length > 0)) {
        throw new Error(`${runtime} left something behind: ${JSON.stringify(leaks)}`);
      }
    },
  };
}

interface Before {
  guard: HomeGuard;
  mark: string;
  portsBefore: number[];
  graceMs: number;
}

async function findLeaks({ guard, mark, portsBefore, graceMs }: Before): Promise<Leaks> {
  // A runtime's last children go a moment after it; what is there after the grace stays there.
  await holdsWithin(graceMs, async () => (await markedProcesses(mark)).length === 0);
  const ports = await listeningPorts(process.pid);
  return {
    files: await guard.created(),
    processes: await markedProcesses(mark),
    ports: ports.filter((port) => !portsBefore.includes(port)),
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
