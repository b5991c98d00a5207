// The only file, with the runner's entry, that names implementations; each is loaded when it is first used.

import { randomBytes, randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { existsSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { HostEnvironment } from './host/host-environment.js';
import { type HostSettings, settingSourcesOf, sharingOf, usualPostureOf } from './host/host-settings.js';
import type { NotificationMeans } from './host/notify/channel-delivery.js';
import type { OpenedHost } from './host/open-host.js';
import type { RuntimeCatalog } from './host/runtime-catalog.js';
import { openTelemetry } from './host/telemetry/open-telemetry.js';
import type { HostOptions, RunningWorker, WorkerStart } from './host/worker-start.js';
import type { Tokens } from './http/tokens.js';
import { hasMarkedAncestor } from './process/families/marked-ancestor.js';
import { runMarkerName } from './process/families/run-marker.js';
import { packageFolder } from './process/files/package-folder.js';
import { packageRoot, packageVersion } from './process/files/package-root.js';
import type { ChannelConfig } from './protocol/channel-config.js';
import { given } from './protocol/given.js';
import type { IdKind, WorkerId } from './protocol/id.js';
import type { RuntimeProfile } from './runtimes/runtime.js';
import type { Store } from './store/store.js';

const runnerFile = new URL('bin/handraise-runner.js', packageRoot).pathname;

/** The scripted model server. */
export const loadSimulator = () => import('./simulator/index.js');
/** What moves a store, and what notes in its home where it is. */
export const loadStoreMove = () =>
  Promise.all([import('./store/move/move-store.js'), import('./host/store-choice.js')]);

export type { HostSettings } from './host/host-settings.js';
export type { HostOptions, RunningWorker, WorkerStart } from './host/worker-start.js';
export { isProof, proofHeader } from './http/worker-proof.js';
export { ownIdentity } from './process/families/own-identity.js';
export { findProcess, processIdentity } from './process/families/process-table.js';
export { terminalMarker } from './process/families/run-marker.js';
export { homeFolder } from './process/files/home-folder.js';
export { packageVersion, programFile } from './process/files/package-root.js';
export type { ScriptInput } from './simulator/script.js';

/** What observes agents that somebody else has started. */
export async function loadObserving() {
  const [{ lineNews }, { ObservedServer }, { installHooks, removeHooks }] = await Promise.all([
    import('./runtimes/observed-line.js'),
    import('./runtimes/opencode/observed-server.js'),
    import('./runtimes/claude/hook-settings.js'),
  ]);
  return { lineNews, ObservedServer, installHooks, removeHooks };
}

/** Whether one of our runners has started this process, directly or not. */
export function isInsideAgent(env: NodeJS.ProcessEnv): boolean {
  return hasMarkedAncestor(runMarkerName, env);
}

/** The tokens of a home; they work whether its worker runs or not. */
export async function openTokens(home: string): Promise<Tokens> {
  const { prepareHome } = await import('./host/worker-file.js');
  const { Tokens } = await import('./http/tokens.js');
  prepareHome(home);
  return new Tokens({ home, now: Date.now, randomBytes });
}

/** A host on the store of its home. */
export interface ComposedHost extends AsyncDisposable {
  readonly host: OpenedHost;
  readonly store: Store;
}

/** Opens the host of a home: its store, its runs, its work. It listens nowhere, so its links lead to `publicUrl` alone. */
export async function composeHost(options: HostOptions): Promise<ComposedHost> {
  const prepared = await prepareHost(options, await startStoreThread(options.settings));
  return await prepared.open('http://127.0.0.1');
}

/** The store of a home is open and everything is loaded; nothing works yet. */
interface PreparedHost {
  readonly store: Store;
  /** Begins to work; `ownUrl` is in links that are sent out where the settings name no other address. */
  open(ownUrl: string): Promise<ComposedHost>;
}

/** Says something in each of these channels, as a worker would. */
export async function testChannels(
  channels: readonly ChannelConfig[],
  { publicUrl, env }: Pick<HostOptions, 'env'> & { readonly publicUrl: string },
) {
  const { tellChannels } = await import('./host/notify/channel-test.js');
  return await tellChannels(channels, { means: notificationMeans(env), publicUrl, clock: { now: Date.now } });
}

function notificationMeans(env: HostOptions['env']): NotificationMeans {
  return {
    resolve: async (name) => await lookup(name, { all: true }),
    desktop: { platform: process.platform, env },
    writeBell: () => process.stderr.write('\u0007'),
  };
}

async function prepareHost(options: HostOptions, thread: StoreThread): Promise<PreparedHost> {
  const { home, settings, log } = options;
  // The store opens in a thread of its own while the rest is loaded here.
  const opened = openStore(options, thread).catch(async (error: unknown) => {
    await thread?.terminate();
    throw error;
  });
  const [
    { openHost },
    { recordHolder },
    { ownIdentity },
    { readChannels },
    { defaultPortRange },
    { defaultToolOutputLimit },
    { agentEnvironment },
    newIds,
    runtimes,
  ] = await Promise.all([
    import('./host/open-host.js'),
    import('./host/worker-file.js'),
    import('./process/families/own-identity.js'),
    import('./protocol/channel-config.js'),
    import('./protocol/scripts-config.js'),
    import('./protocol/tool-output.js'),
    import('./host/trust/agent-env.js'),
    loadIds(),
    loadRuntimeCatalog(options, settings),
    opened,
  ]);
  const store = await opened;
  const tokens = await openTokens(home);
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const telemetry = await openTelemetry({ ...options, store, clock, version: packageVersion() });
  recordHolder(home, ownIdentity());
  const environment = (publicUrl: string): HostEnvironment => ({
    store,
    home,
    env: agentEnvironment(options.env),
    log,
    runner: { file: process.execPath, args: [runnerFile] },
    settings: {
      slots: settings.slots,
      // Idle and asking agents keep their processes; beyond this many the oldest idle one makes room.
      maxAgents: settings.slots * 4,
      idleTimeoutMs: settings.idleTimeoutMinutes * 60_000,
      holdForMs: (settings.holdForMinutes ?? 10) * 60_000,
      retries: settings.retries,
      toolOutputLimit: settings.toolOutputLimit ?? defaultToolOutputLimit,
      unanswered: settings.unanswered ?? {},
      onRestart: settings.onRestart ?? 'keep',
      usualPosture: usualPostureOf(settings),
      elicitingTools: settings.elicitingTools,
      keep: settings,
      repositories: settings.repositories ?? {},
      skills: settings.skills ?? {},
      dailyBudget: settings.dailyBudget,
      worktreePorts: settings.worktreePorts ?? defaultPortRange,
      watchEveryMs: (settings.watchSeconds ?? 60) * 1000,
      ...sharingOf(settings),
      labels: settings.workerLabels ?? [],
      sharedFolders: settings.sharedFolders ?? [],
      tidyEveryMs: (settings.tidySeconds ?? 3600) * 1000,
      keepSpare: settings.keepSpare ? 'claude' : undefined,
    },
    clock,
    telemetry,
    uptime: () => Math.round(uptime() * 1000),
    random: Math.random,
    ids: {
      thread: () => newIds('thread'),
      dispatch: () => newIds('dispatch'),
      run: () => newIds('run'),
      prompt: () => newIds('prompt'),
      schedule: () => newIds('schedule'),
      pipeline: () => newIds('pipeline'),
      rule: () => newIds('rule'),
      uuid: randomUUID,
    },
    runtimes,
    notify: {
      channels: readChannels(settings.notify ?? []),
      publicUrl,
      isTokenHeld: (digest) => tokens.isHeld(digest),
      ...notificationMeans(options.env),
    },
    failpoint: options.failpoint ?? (() => {}),
  });
  return {
    store,
    open: async (ownUrl) => {
      try {
        const host = await openHost(environment(settings.publicUrl ?? ownUrl));
        const close = async () => {
          await host[Symbol.asyncDispose]();
          await telemetry?.[Symbol.asyncDispose]();
          await store.close();
        };
        return { host, store, [Symbol.asyncDispose]: close };
      } catch (error) {
        return await closeAndThrow(store, error);
      }
    },
  };
}

/** What the worker knows of the runtimes that are built. */
export async function loadRuntimeCatalog(
  { env, home }: Pick<HostOptions, 'env' | 'home'>,
  settings: Pick<HostSettings, 'acpAgents' | 'runtimes' | 'claudeUserSettings'>,
): Promise<RuntimeCatalog> {
  const [{ agentEnvironment }, { InstalledRuntimes }, { ContainerCatalog }, profiles] = await Promise.all([
    import('./host/trust/agent-env.js'),
    import('./runtimes/installed-runtimes.js'),
    import('./runtimes/container-catalog.js'),
    loadProfiles(settings.acpAgents, settings.runtimes),
  ]);
  const settingSources = settingSourcesOf(settings);
  const agents = agentEnvironment(env);
  const containers = new ContainerCatalog(agents, home);
  const place = { env: agents, home, settingSources, packageFolder, containers, runner: runnerFile };
  return new InstalledRuntimes(profiles, place);
}

/** A store that stays open would keep the home locked, and this process alive. */
async function closeAndThrow(store: Store, error: unknown): Promise<never> {
  await store.close();
  throw error;
}

type StoreThread = Worker | undefined;

/** The thread of a store that is a file, on its way; it is loaded before everything else, because all of the rest waits for it. */
async function startStoreThread({ store }: HostSettings): Promise<StoreThread> {
  if (store !== undefined) return undefined;
  const { SqliteStore } = await import('./store/sqlite/sqlite-store.js');
  return SqliteStore.startThread();
}

/** The store of a home: a file in it, or the database that the settings name. */
async function openStore({ home, settings, log }: HostOptions, thread: StoreThread): Promise<Store> {
  const [{ prepareHome, workerIdOf }, { expectSameStore }, newIds] = await Promise.all([
    import('./host/worker-file.js'),
    import('./host/store-choice.js'),
    loadIds(),
  ]);
  prepareHome(home);
  const isUsed = existsSync(join(home, 'worker-id'));
  const choice = expectSameStore(home, settings.store);
  const id: WorkerId = workerIdOf(home, () => newIds('worker'));
  // Not after the machine: it may have another name tomorrow, and this must stay the same worker.
  const { workerName } = settings;
  const worker = {
    id,
    name: workerName ?? `worker-${id.slice(-6)}`,
    isNameChosen: workerName !== undefined,
    startedAt: new Date().toISOString(),
  };
  if (settings.store !== undefined) {
    const { PostgresStore } = await import('./store/postgres/postgres-store.js');
    const store = await PostgresStore.open({ url: settings.store, worker, warn: log });
    choice.keep();
    return store;
  }
  const { SqliteStore } = await import('./store/sqlite/sqlite-store.js');
  const file = join(home, 'store.db');
  if (isUsed && !statSync(file, { throwIfNoEntry: false })?.size)
    log(
      `${file} is empty or missing, although this home was used before: a new store begins, without the threads of then. If that is not what you want, stop the worker and put a backup of the file back.`,
    );
  return await SqliteStore.open({ file, worker, ...given({ thread }) });
}

/** Starts the worker of a home with its API, and says in the home where it is. */
export async function startWorker(options: WorkerStart): Promise<RunningWorker> {
  const { home, settings, log } = options;
  const thread = await startStoreThread(settings);
  const [
    prepared,
    { OpenPort },
    { serve },
    { announce, homeHolder },
    { ownIdentity },
    { agentCallers },
    { callingProcesses },
    { inBatches },
    { endWhenIdle },
    { endWithoutHome },
  ] = await Promise.all([
    prepareHost(options, thread),
    import('./http/open-port.js'),
    import('./http/server.js'),
    import('./host/worker-file.js'),
    import('./process/families/own-identity.js'),
    import('./host/trust/agent-caller.js'),
    import('./host/trust/calling-processes.js'),
    import('./host/trust/in-batches.js'),
    import('./host/end-when-idle.js'),
    import('./host/end-without-home.js'),
  ]);
  // After the store, which says whether the home is in use; before the host, whose first notification needs the address.
  const port = await OpenPort.open({
    port: settings.port,
    bind: options.bind ?? '127.0.0.1',
    anyPort: options.anyPort ?? false,
    allowedHosts: settings.allowedHosts,
  }).catch(async (error) => await closeAndThrow(prepared.store, error));
  const { url } = port;
  let composed: ComposedHost | undefined;
  try {
    const opened = await prepared.open(url);
    composed = opened;
    const { host } = opened;
    const ending = new AbortController();
    const proofSecret = randomBytes(32).toString('base64url');
    const served = serve({
      host,
      home,
      log,
      port,
      allowedHosts: settings.allowedHosts,
      undoSeconds: settings.undoSeconds ?? 5,
      container: settings.usualContainer,
      publicUrl: settings.publicUrl,
      proxyUsers: settings.proxyUsers,
      version: packageVersion(),
      proofSecret,
      now: Date.now,
      randomBytes,
      isAgent: inBatches(agentCallers),
      callers: callingProcesses,
      onShutdown: () => ending.abort(),
      console: new URL('dist/web/', packageRoot).pathname,
    });
    const self = { url, version: packageVersion(), startedAt: new Date().toISOString() };
    const where = { ...ownIdentity(), ...self, secret: proofSecret };
    let announced = announce(home, where);
    void endWithoutHome(host, ending, { holder: () => homeHolder(home, where), home, log });
    if (options.exitWhenIdle) {
      void endWhenIdle(host, ending, {
        withdraw: () => announced[Symbol.dispose](),
        repeat: () => {
          announced = announce(home, where);
        },
      });
    }
    return {
      url,
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
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await port[Symbol.asyncDispose]();
    await composed?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** What makes new ids; loaded with their schemas, which the commands that only tell do not need. */
async function loadIds() {
  const { newId } = await import('./protocol/id.js');
  return <Kind extends IdKind>(kind: Kind) => newId(kind, { now: Date.now, randomBytes });
}

/** What is known of each runtime that is built; the runner's entry loads the runtimes themselves. */
export async function loadProfiles(
  acpAgents: NonNullable<HostSettings['acpAgents']> = {},
  packages: NonNullable<HostSettings['runtimes']> = {},
): Promise<readonly RuntimeProfile[]> {
  const [claude, codex, opencode, amp, exec, acp, outside] = await Promise.all([
    import('./runtimes/claude/profile.js'),
    import('./runtimes/codex/profile.js'),
    import('./runtimes/opencode/profile.js'),
    import('./runtimes/amp/profile.js'),
    import('./runtimes/exec/profile.js'),
    import('./runtimes/acp/profile.js'),
    import('./runtimes/outside/profile.js'),
  ]);
  const own = [claude.claudeProfile, codex.codexProfile, opencode.opencodeProfile, amp.ampProfile];
  return [
    ...own,
    exec.execProfile,
    ...acp.acpProfiles(acpAgents),
    ...outside.outsideProfiles(packages, packageFolder),
  ];
}
