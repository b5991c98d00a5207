// Looks at everything that can keep an agent from starting, or from being alone with its work, before a process is started.
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute } from 'node:path';
import type { Finding } from '../domain/preflight/finding.js';
import { proxyFindings, proxyFor } from '../domain/preflight/proxy.js';
import { roomFindings } from '../domain/preflight/room.js';
import { runCaptured } from '../process/children/captured-command.js';
import { findExecutable } from '../process/children/executable.js';
import { RunMemory } from '../process/children/run-memory.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { Posture } from '../protocol/posture.js';
import type { CodeFile } from '../protocol/project-code.js';
import { agentSurroundings } from './agent-surroundings.js';
import { chosenServers, isProgramServer } from './mcp-servers.js';
import type { PreflightLaunch, RuntimeProfile } from './runtime.js';

const proxyMs = 1000;
const probeMs = 10_000;

/** A start that somebody wants. */
export interface WantedStart {
  readonly posture: Posture;
  /** Where the agent would work; left out where nobody knows yet. */
  readonly cwd?: string;
  /** What of the project's own code was approved; left out where nobody has looked yet. */
  readonly projectFiles?: readonly CodeFile[];
  /** Where the worker keeps its state. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly packageFolder: Parameters<RuntimeProfile['installed']>[0]['packageFolder'];
}

/** All that is wrong, from variables, files and the proxy's port; nothing is started. */
export async function preflightFindings(
  profile: RuntimeProfile,
  wanted: WantedStart,
): Promise<readonly Finding[]> {
  const { posture, cwd, projectFiles, home, packageFolder } = wanted;
  const env = { ...wanted.env, ...posture.env };
  const places = [
    { what: "the worker's state", path: home },
    ...(cwd === undefined ? [] : [{ what: 'the workspace', path: cwd }]),
  ];
  const onDisk = [
    ...(cwd === undefined ? [] : workspaceFindings(cwd)),
    ...places.flatMap((place) => freeRoom(place)),
  ];
  // Program, login and servers are those of its image and of its own home.
  if (posture.container) return onDisk;
  const installed = profile.installed({ env, packageFolder });
  if (!installed.found) return [notInstalled(installed.missing)];
  const launch: PreflightLaunch = {
    ...agentSurroundings(env),
    cwd: cwd ?? '/',
    permissionMode: posture.permissionMode ?? 'default',
    settingSources: posture.settingSources ?? ['project'],
    mcpServers: posture.mcpServers ?? {},
    projectFiles: projectFiles ?? [],
    isProjectKnown: projectFiles !== undefined,
  };
  return [
    ...(profile.preflight?.(launch) ?? []),
    ...onDisk,
    ...serverFindings(launch),
    ...memoryFindings(posture),
    ...(await proxyOf(profile.modelUrl?.(env), env)),
  ];
}

/** The same, and what the program says of itself when it is started for it. */
export async function thoroughFindings(
  profile: RuntimeProfile,
  wanted: WantedStart,
): Promise<readonly Finding[]> {
  const env = { ...wanted.env, ...wanted.posture.env };
  const installed = profile.installed({ env, packageFolder: wanted.packageFolder });
  const program = installed.found && !wanted.posture.container ? installed.program : undefined;
  const [found, said] = await Promise.all([
    preflightFindings(profile, wanted),
    program === undefined ? [] : probed({ program, profile, env }),
  ]);
  return [...found, ...said];
}

async function probed({
  program,
  profile,
  env,
}: {
  readonly program: string;
  readonly profile: RuntimeProfile;
  readonly env: Readonly<Record<string, string>>;
}): Promise<readonly Finding[]> {
  const end = await runCaptured({
    file: program,
    args: profile.probe?.args ?? ['--version'],
    cwd: '/',
    env,
    signal: AbortSignal.timeout(probeMs),
  });
  // Slow is not broken.
  if (end.kind === 'stopped') return [];
  if (end.kind === 'missing' || end.code === 126 || end.code === 127)
    return [notInstalled(`${program} is there and cannot be started. Install it again.`)];
  return profile.probe?.read({ code: end.code, text: `${end.stdout}\n${end.stderr}` }) ?? [];
}

function notInstalled(problem: string): Finding {
  return { subject: 'program', stops: 'not_installed', problem, fix: '' };
}

function workspaceFindings(cwd: string): readonly Finding[] {
  const subject = 'workspace';
  const fix = 'Change its permissions, or name another folder.';
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return [
      {
        subject,
        stops: 'missing_file',
        problem: `The workspace ${cwd} does not exist any more.`,
        fix: 'Name another folder.',
      },
    ];
  if (!mayAccess(cwd, constants.R_OK | constants.X_OK))
    return [
      {
        subject,
        stops: 'no_permission',
        problem: `The user of the worker may not read the workspace ${cwd}.`,
        fix,
      },
    ];
  // Whoever only reads needs no more.
  if (!mayAccess(cwd, constants.W_OK))
    return [{ subject, problem: `The user of the worker may not write to the workspace ${cwd}.`, fix }];
  return [];
}

function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** A server that the work names must be there; one of the project's is missed by the agent, and the thread says so. */
function serverFindings(launch: PreflightLaunch): readonly Finding[] {
  const { cwd, env, mcpServers, projectFiles } = launch;
  const { servers } = chosenServers({ cwd, env, mcpServers, projectCode: { files: projectFiles } });
  return Object.entries(servers).flatMap(([name, server]): readonly Finding[] => {
    if (!isProgramServer(server)) return [];
    const path = server.env?.['PATH'] ?? env['PATH'];
    try {
      findExecutable(server.command, { path, cwd: isAbsolute(server.command) ? '/' : cwd });
      return [];
    } catch (error) {
      const isWanted = Object.hasOwn(mcpServers, name);
      return [
        {
          subject: 'mcp_servers',
          ...(isWanted ? { stops: 'config' } : {}),
          problem: `The MCP server "${name}" cannot be started: ${errorSentence(error)}.`,
          fix: isWanted
            ? 'Install it, correct its command, or leave it out.'
            : 'The agent goes on without it; install it, or correct .mcp.json.',
        },
      ];
    }
  });
}

/** A container bounds what is in it by itself. */
function memoryFindings({ memoryLimit, container }: Posture): readonly Finding[] {
  if (memoryLimit === undefined || container !== undefined || RunMemory.isPossible()) return [];
  return [
    {
      subject: 'memory',
      stops: 'config',
      problem:
        'The memory of an agent cannot be limited here: this user may make no control group that counts memory.',
      fix: 'Leave memoryLimit out, or run the worker where it may make such groups: as root, or in a systemd unit with Delegate=yes.',
    },
  ];
}

function freeRoom(place: { readonly what: string; readonly path: string }): readonly Finding[] {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(place.path);
    // Some file systems count no inodes.
    return roomFindings(place, { bytes: bavail * bsize, inodes: files === 0 ? null : ffree });
  } catch {
    return [];
  }
}

async function proxyOf(
  url: string | undefined,
  env: Readonly<Record<string, string>>,
): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  const choice = proxyFor(url, env);
  return proxyFindings(choice, choice.kind !== 'proxy' || (await answers(choice)));
}

async function answers({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port, timeout: proxyMs });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
