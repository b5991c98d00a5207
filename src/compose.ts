// The only file, with the runner's entry, that names implementations; each is loaded when it is first used.
import { randomBytes, randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedHost } from './host/open-host.js';
import type { WorkerOutside } from './host/worker.js';
import type { Tokens } from './http/tokens.js';
import { packageRoot } from './package-root.js';
import { Failure } from './protocol/failure.js';
import { type IdKind, newId, type WorkerId } from './protocol/id.js';
import type { Posture, RuntimeName } from './protocol/posture.js';
import type { UnansweredRules } from './protocol/prompt.js';
import { stringField } from './protocol/string-field.js';
import type { CheckedLaunch, RuntimeProfile } from './runtimes/runtime.js';
import type { Wanted } from './runtimes/supported.js';
import type { Store } from './store/store.js';

/** The scripted model server. */
export function loadSimulator() {
  return import('./simulator/index.js');
}

/** The folder of everything a worker keeps. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state');
  return env['HANDRAISE_HOME'] || join(state, 'handraise');
}

/** The tokens of a home; they work whether its worker runs or not. */
export async function openTokens(home: string): Promise<Tokens> {
  const { prepareHome } = await import('./host/worker-file.js');
  const { Tokens } = await import('./http/tokens.js');
  prepareHome(home);
  return new Tokens({ home, now: Date.now, randomBytes });
}

/** What a worker does when nobody says otherwise, in the words of the settings. */
export interface HostSettings {
  readonly slots: number;
  readonly retries: number;
  readonly idleTimeoutMinutes: number;
  readonly holdForMinutes?: number;
  readonly unanswered?: UnansweredRules;
  /** What a restart of the worker does to open prompts. */
  readonly onRestart?: 'keep' | 'cancel';
  /** Who is told when an agent asks, and when work has ended. */
  readonly notify?: readonly unknown[];
  /** Where the console is found from elsewhere; its own address unless set. */
  readonly publicUrl?: string | undefined;
  readonly keepSpare: boolean;
}

export interface HostOptions extends Partial<Pick<WorkerOutside, 'failpoint'>> {
  readonly home: string;
  readonly settings: HostSettings;
  /** The environment of this process; agents get it scrubbed. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** The address in links that are sent out. */
  readonly publicUrl?: () => string;
}

/** A host on the embedded store of its home. */
export interface ComposedHost extends AsyncDisposable {
  readonly host: OpenedHost;
  readonly store: Store;
}

/** Opens the host of a home: its store, its runs, its work. It listens nowhere. */
export async function openHost(options: HostOptions): Promise<ComposedHost> {
  const { home, settings, log } = options;
  // The store opens in a thread of its own while the rest is loaded here.
  const opened = openStore(home);
  const [opening, { readChannels }, { agentEnvironment }, { expectSupported }, profiles] = await Promise.all([
    import('./host/open-host.js'),
    import('./host/notify/channel-config.js'),
    import('./host/agent-env.js'),
    import('./runtimes/supported.js'),
    loadProfiles(),
    opened,
  ]);
  const store = await opened;
  const env = agentEnvironment(options.env);
  const profileOf = (runtime: RuntimeName) => profiles.find(({ name }) => name === runtime);
  const runner = new URL('bin/handraise-runner.js', packageRoot).pathname;
  const host = await opening.openHost({
    store,
    home,
    env,
    log,
    runner: { file: process.execPath, args: [runner] },
    ...(settings.keepSpare ? { keepSpare: 'claude' } : {}),
    settings: {
      slots: settings.slots,
      // Idle and asking agents keep their processes; beyond this many the oldest idle one makes room.
      maxAgents: settings.slots * 4,
      idleTimeoutMs: settings.idleTimeoutMinutes * 60_000,
      holdForMs: (settings.holdForMinutes ?? 10) * 60_000,
      retries: settings.retries,
      onRestart: settings.onRestart ?? 'keep',
    },
    now: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
    newRunId: () => fresh('run'),
    newThreadId: () => fresh('thread'),
    newDispatchId: () => fresh('dispatch'),
    asking: { newId: () => fresh('prompt'), unanswered: settings.unanswered ?? {} },
    newUuid: randomUUID,
    savedSession: async ({ runtime, sessionId, posture, run }) =>
      await profileOf(runtime)?.savedSession?.({ sessionId, env: { ...env, ...posture.env }, run }),
    failpoint: options.failpoint ?? (() => {}),
    checkLaunch: (runtime, posture) => {
      const profile = profileOf(runtime);
      if (!profile) throw new Failure('unsupported_by_runtime', `The runtime ${runtime} is not built yet.`);
      if (posture.command !== undefined && runtime !== 'exec')
        throw new Failure('invalid', `posture.command is for the runtime exec, not for ${runtime}.`);
      const launch = launchOf(posture, env);
      expectSupported(runtime, profile.capabilities, launch);
      profile.check(launch);
    },
    asksApprovals: (runtime) => profileOf(runtime)?.capabilities.approvals ?? true,
    can: (runtime, ability) => profileOf(runtime)?.capabilities[ability] ?? false,
    runtimes: async () =>
      profiles.map((profile) => ({
        name: profile.name,
        ...profile.installed({ env, manifestOf }),
        capabilities: { ...profile.capabilities },
      })),
    notify: {
      channels: readChannels(settings.notify ?? []),
      publicUrl: options.publicUrl ?? (() => 'http://127.0.0.1'),
      resolve: async (name) => await lookup(name, { all: true }),
      desktop: { platform: process.platform, env: options.env },
      writeBell: () => process.stderr.write('\u0007'),
    },
  });
  return {
    host,
    store,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

async function openStore(home: string): Promise<Store> {
  const [{ SqliteStore }, { prepareHome, workerIdOf }] = await Promise.all([
    import('./store/sqlite/sqlite-store.js'),
    import('./host/worker-file.js'),
  ]);
  prepareHome(home);
  const id: WorkerId = workerIdOf(home, () => fresh('worker'));
  return await SqliteStore.open({
    file: join(home, 'store.db'),
    // Not after the machine: it may have another name tomorrow, and this must stay the same worker.
    worker: { id, name: `worker-${id.slice(-6)}`, startedAt: new Date().toISOString() },
  });
}

export interface WorkerStart extends HostOptions {
  readonly settings: HostSettings & {
    readonly port: number;
    readonly allowedHosts: readonly string[];
  };
  readonly bind?: string;
  /** Ends by itself once nothing is left to do. */
  readonly exitWhenIdle?: boolean;
}

/** A worker in this process, with its API; closing it ends neither runners nor agents. */
export interface RunningWorker extends AsyncDisposable {
  readonly url: string;
  readonly home: string;
  readonly pid: number;
  /** A link that signs a browser in, once. */
  loginLink(): string;
  /** Settles when it was asked to end, or has nothing left to do. */
  readonly done: Promise<void>;
}

/** Starts the worker of a home with its API, and says in the home where it is. */
export async function startWorker(options: WorkerStart): Promise<RunningWorker> {
  const { home, settings, log } = options;
  let ownUrl = 'http://127.0.0.1';
  const publicUrl = () => settings.publicUrl ?? ownUrl;
  const [composed, { serve }, { announce }, { ownIdentity }, { isAgentCaller }] = await Promise.all([
    openHost({ ...options, publicUrl }),
    import('./http/server.js'),
    import('./host/worker-file.js'),
    import('./process/own-identity.js'),
    import('./host/agent-caller.js'),
  ]);
  const { host } = composed;
  const ending = new AbortController();
  try {
    const served = await serve({
      host,
      home,
      log,
      port: settings.port,
      bind: options.bind ?? '127.0.0.1',
      allowedHosts: settings.allowedHosts,
      version: packageVersion(),
      now: Date.now,
      randomBytes,
      isAgent: isAgentCaller,
      onShutdown: () => ending.abort(),
      console: new URL('dist/web/', packageRoot).pathname,
    });
    ownUrl = served.url;
    const self = { url: served.url, version: packageVersion(), startedAt: new Date().toISOString() };
    const where = { ...ownIdentity(), ...self };
    let announced = announce(home, where);
    if (options.exitWhenIdle) {
      void endWhenIdle(host, ending, {
        withdraw: () => announced[Symbol.dispose](),
        repeat: () => {
          announced = announce(home, where);
        },
      });
    }
    return {
      url: served.url,
      home,
      pid: process.pid,
      loginLink: () => served.loginLink(),
      done: new Promise((resolve) => {
        ending.signal.addEventListener('abort', () => resolve(), { once: true });
      }),
      [Symbol.asyncDispose]: async () => {
        ending.abort();
        announced[Symbol.dispose]();
        await served[Symbol.asyncDispose]();
        await composed[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await composed[Symbol.asyncDispose]();
    throw error;
  }
}

/** The program `handraise` as a file. */
export const programFile: string = new URL('bin/handraise.js', packageRoot).pathname;

/** The version of this package. */
export function packageVersion(): string {
  return stringField(packageFile(new URL('package.json', packageRoot)), 'version') ?? 'unknown';
}

const lookMs = 1000;
// Long enough that whoever reads an outcome can look around and say something more to the agent.
const lingerLooks = 60;
// A client that read where this worker is has spoken to it by then.
const lastCallMs = 500;

/** A worker that was started for one piece of work leaves when all of it has ended, and takes its idle agents along. */
async function endWhenIdle(
  host: OpenedHost,
  ending: AbortController,
  announcement: { withdraw(): void; repeat(): void },
): Promise<void> {
  for (let quiet = 0; !ending.signal.aborted; ) {
    await delay(lookMs, undefined, { ref: false });
    quiet = (await host.hasWork()) ? 0 : quiet + 1;
    if (quiet < lingerLooks) continue;
    announcement.withdraw();
    await delay(lastCallMs);
    if (await host.hasWork()) {
      announcement.repeat();
      quiet = 0;
    } else {
      await host.stopAgents('user:handraise');
      ending.abort();
    }
  }
}

function fresh<Kind extends IdKind>(kind: Kind) {
  return newId(kind, { now: Date.now, randomBytes });
}

/** What is known of each runtime that is built; the runner's entry loads the runtimes themselves. */
export async function loadProfiles(): Promise<readonly RuntimeProfile[]> {
  const [{ claudeProfile }, { codexProfile }, { execProfile }] = await Promise.all([
    import('./runtimes/claude/profile.js'),
    import('./runtimes/codex/profile.js'),
    import('./runtimes/exec/profile.js'),
  ]);
  return [claudeProfile, codexProfile, execProfile];
}

/** What of a posture can be checked before its agent is started. */
function launchOf(posture: Posture, env: Readonly<Record<string, string>>): CheckedLaunch & Wanted {
  const { command, model, fallbackModel, structuredOutput, maxTurns, maxThinkingTokens } = posture;
  return {
    permissionMode: posture.permissionMode ?? 'default',
    toolPreset: posture.toolPreset ?? 'full',
    env: { ...env, ...posture.env },
    fork: false,
    betas: posture.betas ?? [],
    mcpServers: posture.mcpServers ?? {},
    checkpointing: posture.checkpointing ?? false,
    limits: {
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxThinkingTokens === undefined ? {} : { maxThinkingTokens }),
    },
    ...(command === undefined ? {} : { command }),
    ...(model === undefined ? {} : { model }),
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
  };
}

/** What npm installed for a runtime; null where it is not there. */
function manifestOf(name: string): { readonly [field: string]: unknown } | null {
  try {
    const found = packageFile(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return typeof found === 'object' && found !== null ? { ...found } : null;
  } catch {
    return null;
  }
}

function packageFile(file: string | URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
