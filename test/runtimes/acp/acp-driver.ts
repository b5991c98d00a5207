import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SteeredRuntime } from '../../../src/simulator/index.js';
import { type InstalledRuntime, runtimeCommand } from '../../harness/runtime-install.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { Driver, type DriverOptions } from '../../runner/driver.js';
import { bash, tool } from '../../runner/prompting.js';
import { asking as askingCodex, shell as shellCodex } from '../codex/codex-driver.js';

/** The agents that were tested, and how each of them is steered. */
export type TestedAgent = 'gemini' | 'claude-agent-acp' | 'codex-acp' | 'opencode';

interface Steering {
  readonly program: InstalledRuntime;
  readonly runtime: SteeredRuntime;
  readonly settings?: (stage: Stage) => void;
  /** Directives that run a command line, and one that the agent may not run unasked. */
  readonly shell: (command: string) => string;
  readonly asking: (command: string) => string;
  /** Models that it takes, as they are named to it; the model's server hears the last part. */
  readonly models: readonly [string, string];
}

const steering: Readonly<Record<TestedAgent, Steering>> = {
  gemini: {
    program: 'gemini',
    runtime: 'gemini',
    // It tries a failed request ten times, for minutes, and takes a long text of one word for a loop.
    settings: (stage) =>
      changeJson(join(stage.home, '.gemini', 'settings.json'), (settings) => ({
        ...settings,
        general: { ...settings['general'], maxAttempts: 1 },
        model: { disableLoopDetection: true },
      })),
    shell: (command) => tool('run_shell_command', { command }),
    asking: (command) => tool('run_shell_command', { command }),
    models: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  },
  'claude-agent-acp': {
    program: 'claude-agent-acp',
    runtime: 'claude',
    shell: bash,
    asking: bash,
    models: ['sonnet', 'haiku'],
  },
  'codex-acp': {
    program: 'codex-acp',
    runtime: 'codex',
    shell: shellCodex,
    asking: askingCodex,
    models: ['gpt-6-sol', 'gpt-6-luna'],
  },
  opencode: {
    program: 'opencode',
    runtime: 'opencode',
    settings: (stage) =>
      changeJson(join(stage.home, 'opencode.json'), (settings) => {
        const { sim } = settings['provider'] as { sim: object };
        const models = { sim: { name: 'sim' }, 'model-a': { name: 'a' }, 'model-b': { name: 'b' } };
        return { ...settings, provider: { sim: { ...sim, models } } };
      }),
    shell: (command) => tool('bash', { command, description: 'It.' }),
    asking: (command) => tool('bash', { command, description: 'It.' }),
    models: ['sim/model-a', 'sim/model-b'],
  },
};

/** A stage on which an agent plays behind ACP; its program is on the PATH under the name that its users know. */
export async function openAcpStage(
  name: TestedAgent,
  options: Parameters<typeof openStage>[1] = {},
): Promise<Stage> {
  const { runtime, settings, program } = steering[name];
  const stage = await openStage(runtime, options);
  settings?.(stage);
  const bin = join(stage.home, 'bin');
  mkdirSync(bin);
  const words = (await runtimeCommand(program)).map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return { ...stage, env: { ...stage.env, PATH: `${bin}:${stage.env['PATH']}` } };
}

/** A parent of a runner that hosts it. */
export function driveAcp(
  name: TestedAgent,
  stage: Stage,
  { args = [], ...options }: DriverOptions = {},
): Driver {
  return new Driver(stage, { ...options, args: ['--runtime', `acp:${name}`, ...args] });
}

export function steeringOf(name: TestedAgent): Pick<Steering, 'shell' | 'asking' | 'models'> {
  return steering[name];
}

// oxlint-disable-next-line typescript/no-explicit-any -- settings of agents, whatever their form
type Json = Record<string, any>;

function changeJson(file: string, change: (json: Json) => Json): void {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Json), undefined, 2));
}
