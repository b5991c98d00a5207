import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { loadSimulator } from '../../compose.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { writeLine, writeMessage } from '../output.js';

const defaultPort = 4010;
const runtimes = ['claude', 'codex', 'opencode', 'gemini'] as const;

/** `handraise sim`: the scripted model server, and how to point a real agent at it. */
export function addSim(program: Command): void {
  const sim = program
    .command('sim')
    .summary('run a scripted model server')
    .description('Runs a scripted model server, so that you can run real agents without an API key.')
    .option('-p, --port <number>', 'port on 127.0.0.1; 0 picks a free one', toPort, defaultPort)
    .option(
      '-s, --script <file>',
      'file with replies, as JSON or YAML; without it, directives in the prompt script the replies',
    )
    .option('--tour', 'reply as in docs/first-ten-minutes.md')
    .option('-l, --log <file>', 'append every request to this file, one JSON line each')
    .option('--json', 'print the address as a JSON line')
    .addHelpText('after', examples)
    .action(serve);

  sim
    .command('env')
    .description(
      'Prints the environment variables that point an agent at the simulator, and writes the settings it needs.',
    )
    .addArgument(new Argument('<runtime>', 'which agent').choices(runtimes))
    .option('--url <url>', `address of the simulator (default: http://127.0.0.1:${defaultPort})`)
    .option('-p, --port <number>', 'its port on 127.0.0.1, instead of --url', toPort)
    .option('--home <folder>', 'private home folder for the agent; a new temporary folder by default')
    .option('--json', 'print a JSON object instead of shell lines')
    .action(environment);

  sim
    .command('schema')
    .description('Prints the JSON Schema of a script file.')
    .action(async (_options: object, command: Command) => {
      expectOptionsOf(command);
      const { scriptJsonSchema } = await loadSimulator();
      writeLine(JSON.stringify(scriptJsonSchema(), undefined, 2));
    });
}

const examples = `
Examples:
  $ handraise sim --script replies.yaml --log requests.jsonl
  $ curl -s 127.0.0.1:${defaultPort}/v1/chat/completions -d '{"messages":[{"role":"user","content":"[[text hi]]"}]}'
  $ eval "$(handraise sim env codex)" && codex exec --skip-git-repo-check '[[text hello]]'
`;

interface ServeOptions {
  port: number;
  script?: string;
  tour?: true;
  log?: string;
  json?: true;
}

async function serve({ port, script, tour: isTour, log, json }: ServeOptions): Promise<void> {
  if (isTour && script !== undefined) throw new Failure('usage', 'Give --script or --tour, not both.');
  const { readScriptFile, startSimulator, tour } = await loadSimulator();
  await using simulator = await startSimulator({
    port,
    ...(script !== undefined && { script: await readScriptFile(script) }),
    ...(isTour && { script: tour }),
    ...given({ log }),
  });
  const ended = new Promise((done) => process.once('SIGINT', done).once('SIGTERM', done));
  const { url } = simulator;
  writeLine(json ? JSON.stringify({ url, port: simulator.port, pid: process.pid }) : url);
  writeMessage('The simulator is ready. Ctrl-C stops it.');
  await ended;
}

interface EnvironmentOptions {
  url?: string;
  home?: string;
}

async function environment(
  runtime: (typeof runtimes)[number],
  { url: givenUrl, home }: EnvironmentOptions,
  command: Command,
): Promise<void> {
  const takenAbove = expectOptionsOf(command);
  // The command above has options of these names, too, and takes them wherever they stand.
  const { json, port } = command.optsWithGlobals<{ json?: true; port: number }>();
  if (givenUrl !== undefined && takenAbove.includes('port'))
    throw new Failure('usage', 'Give --url or --port, not both.');
  if (port === 0) throw new Failure('usage', 'Give the port that the simulator has printed; 0 is none.');
  const url = givenUrl ?? `http://127.0.0.1:${port}`;
  const { runtimeEnvironment, writeRuntimeFiles } = await loadSimulator();
  const place =
    home === undefined ? await mkdtemp(join(tmpdir(), `handraise-sim-${runtime}-`)) : resolve(home);
  const steering = runtimeEnvironment(runtime, { url, home: place });
  await writeRuntimeFiles(steering);
  writeLine(
    json
      ? JSON.stringify({ home: place, ...steering })
      : Object.entries(steering.env).map(exported).join('\n'),
  );
  writeMessage(`${runtime} uses the private home ${place}`);
}

/**
 * The command above takes its options wherever they stand, also those that mean nothing here. Names of those it has taken, all of
 * which this one knows.
 */
function expectOptionsOf(command: Command): string[] {
  const known = new Set(command.options.map((option) => option.attributeName()));
  const above = command.parent;
  const taken = (above?.options ?? []).filter(
    (option) => above?.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const other = taken.find((option) => !known.has(option.attributeName()));
  if (other)
    throw new Failure(
      'usage',
      `sim ${command.name()} has no option ${other.long}. See: handraise sim --help`,
    );
  return taken.map((option) => option.attributeName());
}

function exported([name, value]: [string, string]): string {
  return `export ${name}='${value.replaceAll("'", "'\\''")}'`;
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.');
}
