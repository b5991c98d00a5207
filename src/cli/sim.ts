import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { loadSimulator } from '../compose.js';
import { writeLine, writeMessage } from './output.js';

const defaultPort = 4010;
const runtimes = ['claude', 'codex', 'opencode', 'gemini'] as const;

/** `handraise sim`: the scripted model server, and how to point a real agent at it. */
export function addSim(program: Command): void {
  const sim = program
    .command('sim')
    .summary('run a scripted model server')
    .description('Runs a scripted model server, so that real agents can be driven without tokens.')
    .option('-p, --port <number>', 'port on 127.0.0.1; 0 takes a free one', toPort, defaultPort)
    .option('-s, --script <file>', 'replies, as JSON or YAML; without it prompts script themselves')
    .option('-l, --log <file>', 'append every request to this file, one JSON line each')
    .option('--json', 'print the address as a JSON line')
    .addHelpText('after', examples)
    .action(serve);

  sim
    .command('env')
    .description('Prints the environment that steers an agent to the simulator, and writes its settings.')
    .addArgument(new Argument('<runtime>', 'which agent').choices(runtimes))
    .option('--url <url>', 'address of the simulator', `http://127.0.0.1:${defaultPort}`)
    .option('--home <folder>', "private folder in place of the user's home; a new one unless given")
    .option('--json', 'print a JSON object in place of shell lines')
    .action(environment);

  sim
    .command('schema')
    .description('Prints the JSON Schema of a script file.')
    .action(async () => {
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
  log?: string;
  json?: true;
}

async function serve({ port, script, log, json }: ServeOptions): Promise<void> {
  const { readScriptFile, startSimulator } = await loadSimulator();
  await using simulator = await startSimulator({
    port,
    ...(script !== undefined && { script: await readScriptFile(script) }),
    ...(log !== undefined && { log }),
  });
  const ended = new Promise((done) => process.once('SIGINT', done).once('SIGTERM', done));
  const { url } = simulator;
  writeLine(json ? JSON.stringify({ url, port: simulator.port, pid: process.pid }) : url);
  writeMessage('the simulator is ready; Ctrl-C ends it');
  await ended;
}

interface EnvironmentOptions {
  url: string;
  home?: string;
  json?: true;
}

async function environment(
  runtime: (typeof runtimes)[number],
  { url, home, json }: EnvironmentOptions,
): Promise<void> {
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
  writeMessage(`${runtime} gets the private home ${place}`);
}

function exported([name, value]: [string, string]): string {
  return `export ${name}='${value.replaceAll("'", "'\\''")}'`;
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}
