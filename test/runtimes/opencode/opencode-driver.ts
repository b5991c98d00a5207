import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeCommand } from '../../harness/runtime-install.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { Driver, type DriverOptions } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';

/** A stage on which OpenCode plays, with the environment that says where it is. */
export async function openOpencodeStage(options: Parameters<typeof openStage>[1] = {}): Promise<Stage> {
  const stage = await openStage('opencode', options);
  const [binary] = await runtimeCommand('opencode');
  const opened = { ...stage, env: { ...stage.env, HANDRAISE_OPENCODE: binary } };
  configureOpencode(opened, (config) => {
    const { sim } = config['provider'] as { sim: { models: object } };
    sim.models = { ...sim.models, 'model-a': { name: 'A' }, 'model-b': { name: 'B' } };
  });
  return opened;
}

/** Changes the settings of the user. */
export function configureOpencode(stage: Stage, change: (config: Record<string, unknown>) => void): void {
  const file = join(stage.home, 'opencode.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(config);
  writeFileSync(file, JSON.stringify(config));
}

/** A parent of a runner that hosts OpenCode. */
export function driveOpencode(stage: Stage, { args = [], ...options }: DriverOptions = {}): Driver {
  return new Driver(stage, { ...options, args: ['--runtime', 'opencode', ...args] });
}

/** A directive that runs a command line; OpenCode asks about every one. */
export function opencodeShell(command: string): string {
  return tool('bash', { command, description: 'It has to be done.' });
}
