import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  containerArguments,
  homeInside,
  insidePath,
  linkInside,
  type Mount,
  whyNoMount,
  workspaceInside,
} from '../domain/container/container-arguments.js';
import { containerEnd } from '../domain/container/container-end.js';
import { insideEnvironment } from '../domain/container/container-environment.js';
import { type ContainerHealth, healthNews } from '../domain/container/container-health.js';
import { limitsNotKept } from '../domain/container/container-limits.js';
import { isReachable, listedPlace, readHostAndPort } from '../domain/container/reachable-hosts.js';
import type { ChildCommand, PipedChild } from '../process/children/child.js';
import { UseMeter } from '../process/children/use-meter.js';
import { AgentInside } from '../process/containers/agent-inside.js';
import { CallLine } from '../process/containers/call-line.js';
import { containerLabels } from '../process/containers/container-labels.js';
import { ControlGroup } from '../process/containers/control-group.js';
import { ContainerEngine, type EngineState } from '../process/containers/engine.js';
import { HostProxy, type ProxyTarget } from '../process/containers/host-proxy.js';
import { Lifeline } from '../process/containers/lifeline.js';
import { makeLinkFolder } from '../process/containers/link-folder.js';
import { repositoryMounts } from '../process/containers/repository-mounts.js';
import { packageRoot } from '../process/files/package-root.js';
import { repositoriesFolder } from '../process/git/fetched-repository.js';
import { Failure } from '../protocol/failure.js';
import type { AgentExit } from '../protocol/run.js';
import { containerHome, homeOf } from './launch-container.js';
import type { Launch, RuntimeHost } from './runtime.js';

const sentinelVariable = 'HANDRAISE_NEEDS_INPUT_FILE';
const lookMs = 200;
const watchMs = 1000;
const startMs = 60_000;
// The engine is another program, which costs more to ask than a file of the kernel.
const looksPerInspection = 10;
// Longer than any honest list; an agent could ask for a new name every time.
const mostRefusalsTold = 20;
const longestSocketPath = 100;
/** What agents load from us that has to be seen from inside. */
const programs = [
  new URL('dist/process/containers/inside.js', packageRoot).pathname,
  new URL('dist/runtimes/acp/hide-opencode-password.js', packageRoot).pathname,
  new URL('dist/runtimes/opencode/forget-password.js', packageRoot).pathname,
];

type Command = Pick<ChildCommand, 'file' | 'args' | 'cwd' | 'env'>;

export interface AgentContainerParts {
  readonly launch: Launch;
  readonly host: Pick<RuntimeHost, 'marker' | 'log' | 'emit'>;
  /** The person at the terminal sees everything that the agent is told. */
  readonly isTerminal?: boolean;
  /** The agent is called on a port of its own. */
  readonly isServer?: boolean;
}

/** The container of one process: made with it, watched while it lives, and removed when it has ended. */
export class AgentContainer {
  readonly #parts: AgentContainerParts;
  readonly #container: NonNullable<Launch['container']>;
  readonly #engine: ContainerEngine;
  readonly #name = `handraise-${randomBytes(8).toString('hex')}`;
  readonly #link: string;
  readonly #lifeline: Lifeline;
  /** How the agent's own port is called, where it has one. */
  readonly calls: CallLine | null;
  readonly #over = new AbortController();
  readonly #refused = new Set<string>();
  #proxy: HostProxy | undefined;
  #child: Pick<PipedChild, 'stdin'> | null = null;
  #group: ControlGroup | undefined;
  #begun: number | undefined;
  #joined: Promise<EngineState | null> | undefined;
  #kills: number | null = null;
  #survived = 0;
  #isExpected = false;
  #ended: Promise<AgentExit> | undefined;

  constructor(parts: AgentContainerParts) {
    const { launch } = parts;
    if (!launch.container) throw new Error('this launch has no container');
    this.#parts = parts;
    this.#container = launch.container;
    this.#engine = new ContainerEngine(launch.container.client);
    this.#link = makeLinkFolder(launch.container.folder, parts.host.marker.value);
    this.#lifeline = new Lifeline((what) => this.#answer(what));
    this.calls = parts.isServer ? new CallLine() : null;
  }

  /** The command that starts another inside; the sockets that it needs are there by then. */
  command(command: Command): Command {
    const { launch, host, isTerminal, isServer } = this.#parts;
    const { spec, client, folder, runtime } = this.#container;
    const home = containerHome(folder, runtime);
    const problem = [launch.cwd, home, this.#link].map(whyNoMount).find((why) => why !== undefined);
    if (problem !== undefined) throw new Failure('unavailable', problem);
    // Node cuts a longer path without a word.
    if (Buffer.byteLength(join(this.#link, 'lifeline')) > longestSocketPath)
      throw new Failure(
        'unavailable',
        `${this.#link} is too long for a socket. Choose a shorter HANDRAISE_HOME.`,
      );
    const user = ownerOf(launch.cwd);
    const env = insideEnvironment(runtime, {
      env: definedOnly(command.env),
      listed: spec.env ?? [],
      hosts: spec.hosts ?? [],
    });
    this.#serve(env, user);
    prepareHome(home, user);
    const args = containerArguments({
      container: spec,
      name: this.#name,
      labels: containerLabels(folder, host.marker.value),
      mounts: this.#mounts(home),
      env: { ...env.open, ...this.#sentinel(command) },
      secretEnv: Object.keys(env.secret),
      user,
      workdir: insidePath(launch.cwd, command.cwd),
      kind: isTerminal ? 'terminal' : isServer ? 'server' : 'pipe',
      command: [command.file, ...command.args],
    });
    // What the client needs goes first: the values for inside are chosen by name, and none of these names is among them.
    return { file: client.file, args, cwd: '/', env: { ...env.secret, ...client.env } };
  }

  /** Watches the process that the command has become; in a terminal its input is the person's. */
  watch(child: Pick<PipedChild, 'stdin'> | null): void {
    this.#child = child;
    this.#begun = this.#meter?.now;
    this.#joined = this.#join();
    void this.#watch(this.#joined);
  }

  /** Says that the end is ours, before it is brought about. */
  expectEnd(): void {
    this.#isExpected = true;
  }

  /** How the agent ended, by everything that the engine and the kernel say; the container is gone by then. */
  async ended(client: Omit<AgentExit, 'oom'>): Promise<AgentExit> {
    this.#ended ??= this.#end(client);
    return await this.#ended;
  }

  #serve(
    env: ReturnType<typeof insideEnvironment>,
    user: { readonly uid: number; readonly gid: number },
  ): void {
    const proxy = new HostProxy({
      read: (text, missingPort) => {
        const target = readHostAndPort(text, missingPort);
        return target && { ...target, isAllowed: isReachable(env.hosts, target) };
      },
      origin: env.modelOrigin,
      refused: (target) => this.#tellRefusal(target),
    });
    this.#proxy = proxy;
    for (const file of programs) copyFileSync(file, join(this.#link, basename(file)));
    const failed = (error: Error) => this.#parts.host.log(`The container's socket: ${error.message}`);
    for (const [name, server] of [
      ['proxy', proxy],
      ['lifeline', this.#lifeline],
      ...(this.calls ? [['calls', this.calls] as const] : []),
    ] as const) {
      server.listen(join(this.#link, name), failed);
      own(join(this.#link, name), { ...user, mode: 0o600 });
    }
    for (const file of programs) own(join(this.#link, basename(file)), { ...user, mode: 0o400 });
    own(this.#link, { ...user, mode: 0o700 });
  }

  /** Where a command is told to leave a question. */
  #sentinel({ env }: Command): Record<string, string> {
    const path = env[sentinelVariable];
    return path === undefined ? {} : { [sentinelVariable]: insidePath(this.#parts.launch.cwd, path) };
  }

  #mounts(home: string): Mount[] {
    const { cwd, projectCode } = this.#parts.launch;
    const code = projectCode === 'workspace' ? undefined : projectCode.folder;
    return [
      { from: cwd, to: workspaceInside, isReadOnly: false },
      ...repositoryMounts(cwd, workspaceInside, repositoriesFolder(homeOf(this.#container.folder))),
      { from: home, to: homeInside, isReadOnly: false },
      { from: this.#link, to: linkInside, isReadOnly: true },
      ...(code !== undefined && isFolder(code) ? [{ from: code, to: code, isReadOnly: true }] : []),
    ];
  }

  get #meter(): UseMeter | null {
    return UseMeter.of(this.#parts.host.marker.value);
  }

  async #answer(what: 'input' | 'exit'): Promise<boolean> {
    if (what === 'input') return this.#child?.stdin.writableEnded ?? false;
    // A command may run out of memory before the engine has said where it runs.
    await this.#joined;
    this.#readKills();
    this.#meter?.look();
    return true;
  }

  #readKills(): void {
    this.#kills = this.#group?.kills ?? this.#kills;
  }

  /** Finds the control group of the container, once it runs. */
  async #join(): Promise<EngineState | null> {
    const state = await this.#untilRunning();
    if (!state) return null;
    this.#group = ControlGroup.of(state.pid);
    // The group is the container's own, so all that it has counted is the agent's.
    // The engine may only answer when a command is over, and then all of its time is the agent's as well.
    if (this.#group && !this.#over.signal.aborted) this.#meter?.follow(this.#group, 0, this.#begun);
    return state;
  }

  async #watch(joined: Promise<EngineState | null>): Promise<void> {
    const state = await joined;
    if (!state) return;
    for (const message of limitsNotKept(this.#container.spec, {
      kernel: this.#group?.limits,
      engine: state,
    }))
      this.#warn(message);
    const group = this.#group;
    const agent = group && new AgentInside(state.pid, () => group.members);
    let health: ContainerHealth = state;
    for (let looks = 1; !this.#over.signal.aborted; looks += 1) {
      if (looks % looksPerInspection === 0) health = await this.#tellHealth(health);
      await delay(watchMs, undefined, { signal: this.#over.signal }).catch(() => {});
      if (this.#over.signal.aborted) return;
      const before = this.#kills ?? 0;
      this.#readKills();
      const isLiving = agent?.isLiving;
      // Only what the agent has outlived by a look was not its own end.
      if (before <= this.#survived || isLiving === false) continue;
      if (isLiving === undefined && !(await this.#engine.inspect(this.#name))?.isRunning) continue;
      if (this.#over.signal.aborted) return;
      this.#survived = before;
      this.#warn(childKilled(this.#container.spec.memory));
    }
  }

  async #tellHealth(before: ContainerHealth): Promise<ContainerHealth> {
    const now = await this.#engine.inspect(this.#name);
    if (!now?.isRunning || this.#over.signal.aborted) return before;
    for (const message of healthNews(before, now)) this.#warn(message);
    return now;
  }

  async #untilRunning(): Promise<EngineState | null> {
    for (let waited = 0; waited < startMs && !this.#over.signal.aborted; waited += lookMs) {
      const state = await this.#engine.inspect(this.#name);
      if (state?.isRunning) return state;
      await delay(lookMs, undefined, { signal: this.#over.signal }).catch(() => {});
    }
    return null;
  }

  async #end(client: Omit<AgentExit, 'oom'>): Promise<AgentExit> {
    this.#over.abort();
    this.#meter?.leave();
    const state = await this.#engine.inspect(this.#name);
    const exit = containerEnd({ client, state, kills: this.#kills, survived: this.#survived });
    const isKilledOutside = client.signal !== null && !this.#isExpected && !this.#parts.isTerminal;
    if (isKilledOutside)
      this.#warn(
        'The program that joins the agent to its container was killed, so that its input was lost; the container was ended.',
      );
    const lacked = (this.#kills ?? 0) > this.#survived || (state?.oomKilled === true && this.#kills === null);
    if (lacked && !exit.oom && !isKilledOutside) this.#warn(childKilled(this.#container.spec.memory));
    if (!(await this.#engine.remove(this.#name)) && state !== null)
      this.#parts.host.log(
        `The container ${this.#name} could not be removed; who comes next will try again.`,
      );
    this.#proxy?.[Symbol.dispose]();
    this.#lifeline[Symbol.dispose]();
    this.calls?.[Symbol.dispose]();
    rmSync(this.#link, { recursive: true, force: true });
    return exit;
  }

  #tellRefusal(target: ProxyTarget): void {
    const { host, port } = target;
    const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    if (this.#refused.has(place) || this.#refused.size > mostRefusalsTold) return;
    this.#refused.add(place);
    this.#warn(
      this.#refused.size > mostRefusalsTold
        ? 'The agent has tried to reach more hosts than are listed here. None of them was reached.'
        : `The agent, or something that it started, tried to reach ${place} and was refused. To allow it for new threads, add ${listedPlace(target)} to the setting containerHosts.`,
    );
  }

  #warn(message: string): void {
    this.#parts.host.emit({ type: 'warning', message });
  }
}

function childKilled(memory: string | undefined): string {
  const limit = memory === undefined ? '' : ` (its limit is ${memory})`;
  return `The container ran out of memory${limit}, and the kernel ended a process that the agent had started. The agent itself was not ended.`;
}

/** The agent works as who owns the workspace, so that what it writes is theirs. */
function ownerOf(folder: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(folder);
  const own = process.getuid?.() ?? uid;
  return own === 0 || own === uid ? { uid, gid } : { uid: own, gid: process.getgid?.() ?? gid };
}

/** What an agent has put in place of its own home leads nowhere else. */
function prepareHome(home: string, user: { readonly uid: number; readonly gid: number }): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const name of ['.claude', '.claude/projects', '.codex', '.local', '.local/share']) {
    const found = lstatSync(join(home, name), { throwIfNoEntry: false });
    if (found && !found.isDirectory())
      throw new Failure(
        'unavailable',
        `${join(home, name)} is not a folder: something in a container has replaced it. Remove it and try again.`,
      );
  }
  own(home, { ...user, mode: 0o700 });
}

function own(path: string, { uid, gid, mode }: { uid: number; gid: number; mode: number }): void {
  chmodSync(path, mode);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
