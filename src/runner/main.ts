import { randomBytes, randomUUID } from 'node:crypto';
import { LineSplitter } from '../process/children/line-splitter.js';
import { RunMemory } from '../process/children/run-memory.js';
import { UseMeter } from '../process/children/use-meter.js';
import { sweepContainers } from '../process/containers/container-labels.js';
import { ownIdentity } from '../process/families/own-identity.js';
import { runMarker } from '../process/families/run-marker.js';
import { homeFolder } from '../process/files/home-folder.js';
import { packageFolder } from '../process/files/package-folder.js';
import { packageVersion } from '../process/files/package-root.js';
import type { LaunchFrame } from '../protocol/detached.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { newId } from '../protocol/id.js';
import type { RuntimeName } from '../protocol/posture.js';
import { expectImage } from '../runtimes/launch-container.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';
import { expectSupported } from '../runtimes/supported.js';
import { type RunnerInvocation, readArguments } from './arguments.js';
import { type StartedRunner, startDetached } from './detached.js';
import { dialectOf } from './dialect.js';
import { EventWriter } from './event-writer.js';
import { forwardClock } from './forward-clock.js';
import { helpText } from './help.js';
import { journalRefusal } from './journal-refusal.js';
import { watchingMemory } from './memory-watch.js';
import { ParkedRunner } from './parked-runner.js';
import { Runner } from './runner.js';
import type { RunnerWorld } from './runner-channel.js';
import { waitForLaunch } from './spare.js';
import { sweepDeadRuns } from './stray-processes.js';
import { checkStructuredOutput } from './structured-output.js';
import { runInTerminal } from './terminal.js';

const maxLine = 64 * 1024 * 1024;
const noMemoryLimit =
  'The memory of an agent cannot be limited here: this user may make no control group that counts memory. Leave --memory-limit out, or run where groups can be made: as root, or in a systemd unit with Delegate=yes.';
const dayMs = 24 * 60 * 60 * 1000;

/** Each is loaded only when it is the one. */
const runtimes: { readonly [Name in RuntimeName]?: () => Promise<Runtime> } = {
  claude: async () => (await import('../runtimes/claude/index.js')).claude,
  codex: async () => (await import('../runtimes/codex/index.js')).codex,
  opencode: async () => (await import('../runtimes/opencode/index.js')).opencode,
  amp: async () => (await import('../runtimes/amp/index.js')).amp,
  exec: async () => (await import('../runtimes/exec/index.js')).exec,
};

// The log of a detached runner is a file. When its disk is full, or its reader gone, there is nobody left to tell.
process.stderr.on('error', () => {});

try {
  const env = definedOnly(process.env);
  const invocation = readArguments(process.argv.slice(2), {
    cwd: process.cwd(),
    env,
    stateDir: homeFolder(env),
  });
  if (invocation.kind === 'spare') await runSpare(invocation, env);
  else if (invocation.kind === 'terminal')
    process.exitCode = await runInTerminal(invocation.launch, invocation.command);
  else if (invocation.kind === 'help') process.stdout.write(helpText);
  else if (invocation.kind === 'version') process.stdout.write(`${packageVersion()}\n`);
  else await run(invocation);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`handraise-runner: ${error.message}\n`);
  process.exitCode = exitCodeOf(error);
}

type Invoked = Extract<RunnerInvocation, { kind: 'run' }>;

/** Loads everything, waits for a run, and then is that run as if it had been started for it. */
async function runSpare(
  spare: Extract<RunnerInvocation, { kind: 'spare' }>,
  env: Record<string, string>,
): Promise<void> {
  const runtime = await load(spare.runtime);
  const parent = Number(env['HANDRAISE_SPARE_OF'] ?? process.ppid);
  const parked = spare.parks ? await ParkedRunner.park(runtime, spare.parks, { log, now: Date.now }) : null;
  const frame = await waitForLaunch(spare.socket, { parent, secret: spare.secret });
  parked?.stopWatching();
  if (!frame) {
    await parked?.leave();
    return;
  }
  try {
    await run(launchedBy(frame, env), parked);
  } catch (error) {
    await parked?.leave();
    throw error;
  }
}

function launchedBy(frame: LaunchFrame, env: Record<string, string>): Invoked {
  const merged = { ...env, ...frame.env };
  const invocation = readArguments(frame.args, {
    cwd: process.cwd(),
    env: merged,
    stateDir: homeFolder(merged),
  });
  if (invocation.kind !== 'run')
    throw new Failure('usage', 'A launch frame must hold the arguments of a run.');
  return invocation;
}

async function run(invoked: Invoked, parked: ParkedRunner | null = null): Promise<void> {
  const { launch, detached, warnings } = invoked;
  const { runtime, memory } = await prepared(invoked).catch(async (error: unknown) => {
    const teller = { wallClock: Date.now, log };
    // Where the journal cannot be written either, the first error is the one to tell.
    if (detached) await journalRefusal(detached, error, teller).catch((failed) => log(errorSentence(failed)));
    throw error;
  });
  const world = runnerWorld();
  const opened = parked ? parked.openedBy(runtime) : runtime;
  const watched = memory ? watchingMemory(opened, memory) : opened;
  const started = detached
    ? await startDetached(watched, launch, {
        detached,
        world,
        meter: UseMeter.make(world.marker.value, monotonicMs),
      })
    : startOnStdio(watched, launch, { world, warnings });
  const { runner } = started;

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)
    process.on(signal, () => void runner.shutdown(signal));
  process.on('uncaughtException', (error) => void runner.fail(error));
  process.on('unhandledRejection', (error) => void runner.fail(error));
  void sweepDeadRuns();
  if (launch.container) void sweepContainers(launch.container.client, launch.container.folder);

  const code = await runner.done;
  await started.close();
  await memory?.remove();
  process.exit(code);
}

/** What a run needs before anything of its agent is started; a Failure says why it cannot work. */
async function prepared({
  runtime: name,
  launch,
  memoryLimit,
}: Invoked): Promise<{ readonly runtime: Runtime; readonly memory: RunMemory | null }> {
  await checkStructuredOutput(launch.structuredOutput);
  const runtime = await load(name, launch.command);
  expectSupported(name, runtime.capabilities, launch);
  runtime.check(launch);
  if (launch.container) await expectImage(launch.container.spec, launch.container.client);
  quietWarnings();
  const memory = RunMemory.make(runMarker(ownIdentity()).value);
  if (memoryLimit !== undefined && !memory?.limit(memoryLimit)) {
    await memory?.remove();
    throw new Failure('config', noMemoryLimit);
  }
  return { runtime, memory };
}

function runnerWorld(): RunnerWorld {
  return {
    log,
    now: forwardClock(Date.now),
    wallClock: Date.now,
    newUuid: randomUUID,
    newRequestId: () => newId('request', { now: Date.now, randomBytes }),
    marker: runMarker(ownIdentity()),
  };
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

function monotonicMs(): number {
  return performance.now();
}

function startOnStdio(
  runtime: Runtime,
  launch: Launch,
  { world, warnings }: { readonly world: RunnerWorld; readonly warnings: readonly string[] },
): StartedRunner {
  const writer = new EventWriter({ write: (text) => process.stdout.write(text), now: world.wallClock });
  const runner = new Runner(runtime, launch, {
    world,
    channel: {
      emit: (event) => writer.emit(event),
      deadlineMs: dayMs,
      mayPark: false,
      takesOutput: false,
      dialect: dialectOf(launch),
      receipts: { repeats: () => false, accept: () => {} },
      whenWritable: () => undefined,
    },
  });
  for (const message of warnings) writer.emit({ type: 'warning', message });
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
        runner.badLine(errorSentence(error), line.text);
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

async function load(name: RuntimeName, from = ''): Promise<Runtime> {
  if (name.startsWith('acp:'))
    return (await import('../runtimes/acp/index.js')).acpRuntime(name.slice('acp:'.length));
  if (name.startsWith('npm:')) {
    const [{ outsideRuntime }, { outsideFolder }] = await Promise.all([
      import('../runtimes/outside/index.js'),
      import('../runtimes/outside/profile.js'),
    ]);
    return await outsideRuntime(name, outsideFolder(from, packageFolder));
  }
  const runtime = await runtimes[name]?.();
  if (runtime) return runtime;
  const known = [...Object.keys(runtimes), 'acp:NAME', 'npm:NAME'].join(', ');
  throw new Failure('usage', `--runtime: "${name}" is not supported yet. Choose one of ${known}.`);
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

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
