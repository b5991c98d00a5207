import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { findExecutable } from '../../process/children/executable.js';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { listTree } from '../../process/files/folder-tree.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { needsInputPath, noHelperVariable } from '../../protocol/needs-input.js';
import type { McpServer } from '../../protocol/posture.js';
import { wordsOf } from '../command-words.js';
import { chosenServers, isProgramServer } from '../mcp-servers.js';
import { foldersBetween, ProjectInstructions, projectTop } from '../project-instructions.js';
import { expectMayBypass } from '../root-bypass.js';
import type { CheckedLaunch, Launch } from '../runtime.js';
import { type AcpAgent, acpAgent } from './agents.js';
import type { WireAgent } from './wire.js';

/** The program of an agent and its arguments. */
export function acpCommand(
  name: string,
  { command }: Pick<Launch, 'command'>,
): {
  readonly file: string;
  readonly args: readonly string[];
} {
  const agent = acpAgent(name);
  const line = command ?? agent.command;
  if (line === undefined)
    throw new Failure(
      'config',
      `Nobody has said how to start acp:${name}. Add it to acpAgents in your settings: {"${name}": {"command": "${name} --acp", "loadsProjectCode": true}}.`,
    );
  const [file = '', ...args] = wordsOf(line);
  return { file, args: [...args, ...(agent.moreArgs?.(args) ?? [])] };
}

/** The environment of an agent: ours, without what is ours alone, and with what keeps it to what was approved. */
export function acpEnv(
  name: string,
  launch: Pick<Launch, 'env' | 'projectCode' | 'container'>,
  marker: Record<string, string>,
): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([each]) => !each.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(inherited), ...acpAgent(name).env?.(launch), ...marker };
}

/** Refuses what cannot work before it is started. */
export function checkAcpLaunch(name: string, launch: CheckedLaunch): void {
  // In a container it is the image's.
  if (!launch.container) findAgent(name, launch);
  expectMayBypass(launch.permissionMode, launch.env);
  if (launch.fallbackModel !== undefined || launch.betas.length > 0)
    throw new Failure(
      'unsupported_by_runtime',
      `The runtime acp:${name} cannot do this: a fallback model, or betas.`,
    );
}

/** The file to start; a Failure says that it is not there, and what to do. */
export function findAgent(name: string, launch: Pick<CheckedLaunch, 'command' | 'env'>): string {
  const { file } = acpCommand(name, launch);
  try {
    return findExecutable(file, { path: launch.env['PATH'], cwd: '/' });
  } catch (error) {
    const { install } = acpAgent(name);
    const how =
      install === undefined
        ? 'Correct its command in acpAgents of your settings'
        : `Install it with "${install}"`;
    throw new Failure(
      'unavailable',
      `The agent acp:${name} cannot be started: ${errorSentence(error)}. ${how}.`,
      {
        cause: error,
      },
    );
  }
}

const largestFile = 256 * 1024;
const bounds = { entries: 500, depth: 8 };

/** Refuses a project whose own code an agent would load although nobody has approved it, byte for byte. */
export function expectOnlyApproved(
  name: string,
  { cwd, projectCode, env }: Pick<Launch, 'cwd' | 'projectCode' | 'env'>,
): void {
  const { loads = [] } = acpAgent(name);
  if (projectCode === 'workspace') return;
  const approved = new Map(projectCode.files.map(({ path, text }) => [path, text]));
  const here = realpathSync(cwd);
  for (const folder of foldersRead(here, env['HOME']))
    for (const file of loads.flatMap((each) => filesIn(folder, each))) {
      const path = relative(here, file);
      const read = readBoundedFile(file, { limit: largestFile, followLink: false });
      if (read.ok && approved.get(path) === read.text) continue;
      throw new Failure(
        'no_permission',
        `acp:${name} would load ${path} of this project, which nobody has approved, and it cannot be told not to. Remove it, approve it with "handraise config trust ${cwd}", or use another runtime.`,
      );
    }
}

/** Agents look up to the top of the work tree, some without git up to the root; what is in the user's home is the user's. */
function foldersRead(cwd: string, home: string | undefined): string[] {
  const top = projectTop(cwd);
  const highest = existsSync(join(top, '.git')) ? top : '/';
  return foldersBetween(highest, cwd).filter((folder) => folder !== home);
}

function filesIn(folder: string, name: string): string[] {
  const top = join(folder, name);
  if (!existsSync(top)) return [];
  const tree = listTree(top, bounds).map(({ path }) => join(top, path));
  return tree.length > 0 ? tree : [top];
}

/** What an agent is told with its first message: it has no other place for it that all agents have. */
export function openingWords(
  agent: AcpAgent,
  launch: Launch,
): { readonly words: string; readonly warnings: readonly string[] } {
  const isWanted = launch.projectCode !== 'workspace' && agent.isGuarded && agent.instructions;
  const project = isWanted ? new ProjectInstructions(launch.cwd, isWanted) : null;
  const teaching = launch.env[noHelperVariable] === 'true' ? undefined : teachingOf(agent);
  const words = [project?.forWork(), launch.instructions, teaching].filter((part) => part !== undefined);
  return { words: words.join('\n\n'), warnings: project?.problems ?? [] };
}

function teachingOf({ asks }: AcpAgent): string {
  const now = asks ? 'use your question tool when you can wait for the answer; when it may take long, ' : '';
  return `To ask a person something: ${now}write the question as JSON {"question", "options", "context", "partial_state"} to ${needsInputPath} in the folder that you work in (make its folder where it is missing) and end your turn at once: the answer comes as the next message. Never guess an answer that only a person can give.`;
}

/** The MCP servers of a session, as far as the agent can reach them. */
export function sessionServers(
  launch: Launch,
  agent: WireAgent,
  hidden: readonly string[] = [],
): { readonly servers: object[]; readonly names: string[]; readonly warnings: string[] } {
  const { servers, warnings } = chosenServers(launch);
  const speaks = agent.agentCapabilities?.mcpCapabilities;
  const chosen = Object.entries(servers).map(([name, server]) => ({
    name,
    entry: acpServer(name, withoutHidden(server, hidden), speaks),
  }));
  const left = chosen.flatMap(({ name, entry }) =>
    entry === null ? [`The MCP server "${name}" is left out: the agent does not speak its transport.`] : [],
  );
  const kept = chosen.flatMap(({ name, entry }) => (entry === null ? [] : [{ name, entry }]));
  return {
    servers: kept.map(({ entry }) => entry),
    names: kept.map(({ name }) => name),
    warnings: [...warnings, ...left],
  };
}

function acpServer(
  name: string,
  server: McpServer,
  speaks: { http?: boolean | undefined; sse?: boolean | undefined } | null | undefined,
): object | null {
  if (isProgramServer(server)) {
    const { command, args = [], env = {} } = server;
    return { name, command: absolute(command), args, env: pairs(env) };
  }
  if (speaks?.[server.type] !== true) return null;
  return { type: server.type, name, url: server.url, headers: pairs(server.headers ?? {}) };
}

/** A server that is a program inherits what its agent has. */
function withoutHidden(server: McpServer, hidden: readonly string[]): McpServer {
  if (!isProgramServer(server) || hidden.length === 0) return server;
  return { ...server, env: { ...server.env, ...Object.fromEntries(hidden.map((name) => [name, ''])) } };
}

/** ACP wants absolute paths; what is looked for on the PATH stays a name. */
function absolute(command: string): string {
  return command.includes('/') && !isAbsolute(command) ? realpathSync(command) : command;
}

function pairs(record: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}
