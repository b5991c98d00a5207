import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LineSplitter } from '../process/line-splitter.js';
import { ownIdentity } from '../process/own-identity.js';
import { runMarker } from '../process/run-marker.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { newId } from '../protocol/id.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';
import { expectSupported } from '../runtimes/supported.js';
import { type Invocation, readArguments } from './arguments.js';
import { type StartedRunner, startDetached, type World } from './detached.js';
import { EventWriter } from './event-writer.js';
import { helpText } from './help.js';
import { Runner } from './runner.js';
import { waitForLaunch } from './spare.js';
import { sweepDeadRuns } from './stray-processes.js';
import { checkStructuredOutput } from './structured-output.js';
import { version } from './version.js';

const maxLine = 64 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;

/** Each is loaded only when it is the one. */
const runtimes: { readonly [Name in RuntimeName]?: () => Promise<Runtime> } = {
  claude: async () => (await import('../runtimes/claude/index.js')).claude,
  codex: async () => (await import('../runtimes/codex/index.js')).codex,
  exec: async () => (await import('../runtimes/exec/index.js')).exec,
};

try {
  const env = definedOnly(process.env);
  const invocation = readArguments(process.argv.slice(2), {
    cwd: process.cwd(),
    env,
    stateDir: stateDir(env),
  });
  if (invocation.kind === 'spare') await runSpare(invocation, env);
  else if (invocation.kind === 'help') process.stdout.write(helpText);
  else if (invocation.kind === 'version') process.stdout.write(`${version()}\n`);
  else await run(invocation);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`handraise-runner: ${error.message}\n`);
  process.exitCode = exitCodeOf(error);
}

type Invoked = Extract<Invocation, { kind: 'run' }>;

/** Loads everything, waits for a run, and then is that run as if it had been started for it. */
async function runSpare(
  spare: Extract<Invocation, { kind: 'spare' }>,
  env: Record<string, string>,
): Promise<void> {
  await load(spare.runtime);
  const frame = await waitForLaunch(spare.socket, Number(env['HANDRAISE_SPARE_OF'] ?? process.ppid));
  if (!frame) return;
  const merged = { ...env, ...frame.env };
  const invocation = readArguments(frame.args, {
    cwd: process.cwd(),
    env: merged,
    stateDir: stateDir(merged),
  });
  if (invocation.kind !== 'run') throw new Failure('usage', 'A launch frame holds the arguments of a run.');
  await run(invocation);
}

async function run({ runtime: name, launch, detached }: Invoked): Promise<void> {
  await checkStructuredOutput(launch.structuredOutput);
  const runtime = await load(name);
  expectSupported(name, runtime.capabilities, launch);
  runtime.check(launch);
  quietWarnings();
  const world = {
    log: (line: string) => process.stderr.write(`${line}\n`),
    now: Date.now,
    newUuid: randomUUID,
    newRequestId: () => newId('request', { now: Date.now, randomBytes }),
    marker: runMarker(ownIdentity()),
  };
  const started = detached
    ? await startDetached(runtime, launch, { detached, world })
    : startOnStdio(runtime, launch, world);
  const { runner } = started;

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)
    process.on(signal, () => void runner.shutdown(signal));
  process.on('uncaughtException', (error) => void runner.fail(error));
  process.on('unhandledRejection', (error) => void runner.fail(error));
  void sweepDeadRuns();

  const code = await runner.done;
  await started.close();
  process.exit(code);
}

function startOnStdio(runtime: Runtime, launch: Launch, world: World): StartedRunner {
  const writer = new EventWriter({ write: (text) => process.stdout.write(text), now: world.now });
  const runner = new Runner(runtime, launch, {
    ...world,
    emit: (event) => writer.emit(event),
    deadlineMs: dayMs,
    mayPark: false,
    receipts: { repeats: () => false, accept: () => {} },
    whenWritable: () => undefined,
  });
  // A parent that is gone reads no more; the runner goes too.
  process.stdout.on('error', () => void runner.shutdown('output_closed', ExitCode.failure));
  readInput(runner);
  return {
    runner,
    close: async () => {
      writer.flush();
      process.stdin.destroy();
      // Without a bound on purpose: a parent that reads slowly still gets the last events, and when it goes, the
      // pipe breaks and this ends. (process.exit would drop what the pipe has not taken.)
      await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    },
  };
}

function readInput(runner: Runner): void {
  const splitter = new LineSplitter({ maxBytes: maxLine });
  const take = (lines: ReturnType<LineSplitter['push']>) => {
    for (const line of lines) {
      if (line.kind === 'oversized') {
        runner.badLine(`The line is longer than ${maxLine} bytes (${line.bytes}).`, line.head);
        continue;
      }
      let parsed: unknown;
      try {
        parsed = JSON.parse(line.text);
      } catch (error) {
        runner.badLine(error instanceof Error ? error.message : 'not JSON', line.text);
        continue;
      }
      void runner.handle(parsed);
    }
  };
  process.stdin.on('data', (chunk: Buffer) => take(splitter.push(chunk)));
  const end = () => {
    take(splitter.end());
    runner.inputClosed();
  };
  process.stdin.once('end', end);
  process.stdin.once('error', end);
}

async function load(name: RuntimeName): Promise<Runtime> {
  const runtime = await runtimes[name]?.();
  if (runtime) return runtime;
  const known = Object.keys(runtimes).join(', ');
  throw new Failure('usage', `--runtime: "${name}" is not built yet. Choose one of ${known}.`);
}

/** The SDK warns that a mode asks nobody; the modes here are chosen on purpose. */
function quietWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!('code' in warning && warning.code === 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED')) {
      process.stderr.write(`${warning.name}: ${warning.message}\n`);
    }
  });
}

function stateDir(env: Record<string, string>): string {
  const home = env['HOME'] ?? homedir();
  return env['HANDRAISE_HOME'] ?? join(env['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'handraise');
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
