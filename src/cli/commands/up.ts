import { once } from 'node:events';
import type { Command } from 'commander';
import { homeFolder, startWorker } from '../../compose.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { given } from '../../protocol/given.js';
import { ensureWorker, holderOf } from '../background-worker.js';
import { outliveOutput } from '../lost-output.js';
import { toPort, toPositive } from '../number-option.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { containerSettings } from '../settings/container-settings.js';
import { effectiveSettings } from '../settings/effective-settings.js';
import type { Settings } from '../settings/settings.js';
import { stillAtWork } from '../still-at-work.js';
import { openClient, workerAddress } from '../worker-address.js';

/** `handraise up`: the worker, with API and web console. */
export function addUp(program: Command): void {
  program
    .command('up')
    .summary('start the worker with its API and web console')
    .description(
      'Starts the worker of this machine in the foreground. When you stop it, agents keep running and the next worker ' +
        'finds them again.',
    )
    .option(
      '-p, --port <number>',
      'port on 127.0.0.1; 0 picks a free one (default: setting port, 7411)',
      toPort,
    )
    .option(
      '--slots <number>',
      'how many agents may work at the same time (default: setting slots, 4)',
      toPositive,
    )
    .option(
      '--store <url>',
      'PostgreSQL database that several workers share (default: setting store, or a file in the home)',
    )
    .option(
      '--name <name>',
      'name of this worker among those that share a database (default: setting workerName)',
    )
    .option(
      '--label <label>',
      'label of this worker; repeat for more (default: setting workerLabels)',
      collect,
    )
    .option('--observable', 'guess from its output what a command is doing (default: setting observable)')
    .option('--exit-when-idle', 'stop once all work has ended')
    .option('--any-port', 'take a free port when the usual one is in use')
    .option('-d, --detach', 'start it in the background')
    .option('--json', 'print one JSON line when it is ready')
    .addHelpText('after', examples)
    .action(up);
}

const examples = `
Examples:
  $ handraise up
  $ handraise up -d --port 8000
  $ handraise up --store postgres://handraise@db.example/handraise
  $ handraise up --name build-1 --label gpu --slots 8
  $ handraise up --port 0 --json      # {"url":"http://127.0.0.1:PORT","home":"…","pid":N}
`;

interface UpOptions {
  readonly port?: number;
  readonly slots?: number;
  readonly store?: string;
  readonly name?: string;
  readonly label?: readonly string[];
  readonly observable?: true;
  readonly exitWhenIdle?: true;
  readonly anyPort?: true;
  readonly detach?: true;
  readonly json?: true;
}

async function up(options: UpOptions): Promise<void> {
  const home = homeFolder(process.env);
  if (options.detach) return upInBackground(home, options);
  const { values: settings, notes } = effectiveSettings({
    env: process.env,
    // No project's settings are the worker's, wherever it is started.
    folder: home,
    flags: {
      port: options.port,
      slots: options.slots,
      store: options.store,
      workerName: options.name,
      workerLabels: options.label,
      observable: options.observable,
    },
  });
  outliveOutput();
  for (const note of notes) writeMessage(note);
  const signalled = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
  {
    await using worker = await startWorker({
      home,
      settings: { ...settings, usualContainer: containerSettings(settings) },
      env: process.env,
      log: writeMessage,
      ...(options.exitWhenIdle && { exitWhenIdle: true }),
      ...(options.anyPort && { anyPort: true }),
    });
    const { url, pid } = worker;
    if (options.json) writeJson({ url, home, pid });
    else writeLine(url);
    // The link signs its reader in, so it goes to a person and never into a log.
    if (process.stderr.isTTY) writeMessage(`Web console: ${worker.loginLink()}`);
    writeMessage(`The worker is ready. Ctrl-C stops it; agents keep running${forHowLong(settings)}.`);
    const isAsked = await Promise.race([worker.done.then(() => false), signalled.then(() => true)]);
    if (isAsked) writeMessage(await stillAtWork(openClient()));
    // Whoever cannot wait for a worker that ends asks twice.
    process.once('SIGINT', () => process.exit(ExitCode.interrupted));
  }
  process.exit(ExitCode.success);
}

/** Where another worker may take over, nothing goes on for long without this one. */
function forHowLong({ store, runnerDeadlineSeconds }: Settings): string {
  return store === undefined ? '' : ` for ${runnerDeadlineSeconds} seconds, unless it is started again`;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

async function upInBackground(
  home: string,
  { port, slots, store, name, label = [], observable, exitWhenIdle, anyPort, json }: UpOptions,
): Promise<void> {
  const args = [
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(slots === undefined ? [] : ['--slots', String(slots)]),
    ...(name === undefined ? [] : ['--name', name]),
    ...label.flatMap((each) => ['--label', each]),
    ...(observable ? ['--observable'] : []),
    ...(exitWhenIdle ? ['--exit-when-idle'] : []),
    ...(anyPort ? ['--any-port'] : []),
  ];
  // Not among the arguments, which every user of the machine can read.
  const { isNew } = await ensureWorker(home, { args, env: given({ HANDRAISE_STORE: store }) });
  const url = (await workerAddress(home))?.url;
  const pid = holderOf(home)?.pid;
  if (json) writeJson({ url, home, pid, isNew });
  else writeLine(String(url));
  writeMessage(isNew ? 'The worker is ready.' : 'A worker is already running.');
}
