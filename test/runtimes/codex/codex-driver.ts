import { runtimeCommand } from '../../harness/runtime-install.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { Driver, type DriverOptions } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';

/** A stage on which Codex plays, with the environment that says where it is. */
export async function openCodexStage(options: Parameters<typeof openStage>[1] = {}): Promise<Stage> {
  const stage = await openStage('codex', options);
  const [binary] = await runtimeCommand('codex');
  return { ...stage, env: { ...stage.env, HANDRAISE_CODEX: binary } };
}

/** A parent of a runner that hosts Codex. */
export function driveCodex(stage: Stage, { args = [], ...options }: DriverOptions = {}): Driver {
  return new Driver(stage, { ...options, args: ['--runtime', 'codex', ...args] });
}

/** A directive that asks to run a command line outside of the sandbox. */
export function asking(command: string): string {
  return shell(command, { sandbox_permissions: 'require_escalated', justification: 'It has to be done.' });
}

/** A directive that runs a command line. */
export function shell(command: string, more: Record<string, unknown> = {}): string {
  return tool('exec_command', { cmd: command, ...more });
}
