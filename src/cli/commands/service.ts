import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { homeFolder } from '../../compose.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { answers, holderOf } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { type ServiceManager, serviceManager } from '../service/service-manager.js';
import { openClient } from '../worker-address.js';

const lookEveryMs = 50;
const readyWithinMs = 30_000;

/** `handraise service`: the worker starts with the machine. */
export function addService(program: Command): void {
  const service = program
    .command('service')
    .summary('start the worker with the machine')
    .description(
      'Has systemd (Linux) or launchd (macOS) start the worker, and start it again when it dies. Stopping the service leaves agents ' +
        'running; the next worker finds them.',
    )
    .addHelpText('after', examples);

  service
    .command('install')
    .description(
      'Writes a user unit or a launchd agent, and starts it. A worker that runs makes way; its agents keep running.',
    )
    .option('--print', 'print what would be written, and change nothing')
    .option('--json', 'print how it stands as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise service install\n')
    .action(install);

  service
    .command('uninstall')
    .description('Stops the service and removes its file. Agents keep running.')
    .option('--json', 'print how it stands as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise service uninstall\n')
    .action(uninstall);

  service
    .command('status', { isDefault: true })
    .description('Says whether the service is installed and running. Exits with 69 where it is not running.')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise service status\n')
    .action(status);
}

const examples = `
Examples:
  $ handraise service install
  $ echo 'ANTHROPIC_API_KEY=…' >> ~/.config/handraise/service.env    # what agents need that a login shell has
`;

function manager(): ServiceManager {
  return serviceManager(process.env, process.platform, process.getuid?.() ?? 0);
}

async function install({ print, json }: { print?: true; json?: true }): Promise<void> {
  const service = manager();
  if (print) return writeLine(service.text.trimEnd());
  await service.expectManager();
  const home = homeFolder(process.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { isRunning } = await service.state();
  if (!isRunning && (await answers(home))) await endWorker(home);
  await service.install();
  await until(
    'The worker of the service does not answer yet. See: handraise service status',
    async () => await answers(home),
  );
  const startsAtBoot = await service.startAtBoot();
  const state = await service.state();
  if (json) writeJson({ ...state, startsAtBoot });
  else writeLine(state.file);
  writeMessage(
    startsAtBoot
      ? 'The worker runs as a service, and starts with the machine.'
      : 'The worker runs as a service, and starts with your login. To start it with the machine (Linux): sudo loginctl enable-linger $USER',
  );
}

async function uninstall({ json }: { json?: true }): Promise<void> {
  const service = manager();
  const { isInstalled } = await service.state();
  if (!isInstalled)
    throw new Failure('not_found', `No service is installed: ${service.file} does not exist.`);
  await service.uninstall();
  if (json) writeJson(await service.state());
  writeMessage('The service is removed. Agents keep running; any handraise command finds them again.');
}

async function status({ json }: { json?: true }): Promise<void> {
  const state = await manager().state();
  if (json) writeJson(state);
  else writeLine(state.isInstalled ? `${state.state}  ${state.file}` : 'not installed');
  if (!state.isRunning) process.exitCode = ExitCode.unavailable;
}

/** The worker that was started otherwise makes way; its agents go on. */
async function endWorker(home: string): Promise<void> {
  await openClient().shutdown();
  await until(
    `The worker that runs does not end. End it with: handraise down`,
    () => holderOf(home) === null,
  );
}

async function until(otherwise: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const last = performance.now() + readyWithinMs;
  while (!(await holds())) {
    if (performance.now() > last) throw new Failure('unavailable', otherwise);
    await sleep(lookEveryMs);
  }
}
