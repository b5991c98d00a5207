import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { workspaceInside } from '../../domain/container/container-arguments.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { noHelperVariable } from '../../protocol/needs-input.js';
import { type McpServer } from '../../protocol/posture.js';
import { chosenServers } from '../mcp-servers.js';
import {
  foldersBetween,
  type InstructionNames,
  ProjectInstructions,
  projectTop,
} from '../project-instructions.js';
import { expectMayBypass } from '../root-bypass.js';
import type { CheckedLaunch, Launch } from '../runtime.js';
import { findCodex } from './binary.js';
import { rightsOf } from './posture.js';

/** The arguments of the one app server that lives as long as the runner. */
export function codexArgs(marker: { readonly name: string; readonly value: string }): string[] {
  const settings = {
    // Without it the model may ask only while it plans; it is marked as unfinished, and a warning would say so.
    'features.default_mode_request_user_input': true,
    suppress_unstable_features_warning: true,
    // A server that is not there would be tried without end (measured).
    'features.unbounded_connection_retries': false,
    // Skills of a project are read whether it is trusted or not (measured); none may add a server to the user's settings.
    'features.skill_mcp_dependency_install': false,
    // A user may keep most variables from commands; by this one strays are found.
    [`shell_environment_policy.set.${marker.name}`]: marker.value,
  };
  const overrides = Object.entries(settings).flatMap(([key, value]) => [
    '-c',
    `${key}=${JSON.stringify(value)}`,
  ]);
  return ['app-server', ...overrides];
}

/** The environment of the agent: ours, without what is ours alone, and with a temporary folder that its sandbox can bear. */
export function codexEnv(launch: Launch, marker: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([name]) => !name.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(inherited), ...temporaryFolder(launch.env), ...marker };
}

/** Codex sets up no sandbox when its home lies below the temporary folder (measured), so it gets another one. */
function temporaryFolder(env: Launch['env']): { TMPDIR?: string } {
  const home = env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex');
  const inside = relative(env['TMPDIR'] ?? tmpdir(), home);
  return inside.startsWith('..') ? {} : { TMPDIR: join(home, 'tmp') };
}

/** Refuses what cannot work before it is started. */
export function checkCodexLaunch(launch: CheckedLaunch): void {
  if (!launch.container) findCodex(launch.env);
  expectMayBypass(launch.permissionMode, launch.env);
  if (launch.fork && launch.resume === undefined)
    throw new Failure('usage', '--fork needs --resume: it forks the session that is resumed.');
  if (launch.fallbackModel !== undefined || launch.betas.length > 0)
    throw new Failure(
      'unsupported_by_runtime',
      'The runtime codex cannot do this: a fallback model, or betas.',
    );
}

/** What a thread is started, resumed or forked with. */
export function threadParams(launch: Launch): {
  readonly params: object;
  readonly servers: string[];
  readonly warnings: string[];
} {
  const { servers, warnings } = mcpConfig(launch);
  const project =
    launch.projectCode === 'workspace' ? null : new ProjectInstructions(launch.cwd, agentsFiles);
  const instructions = [project?.forWork(), launch.instructions, isTaught(launch) ? teaching : undefined]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return {
    params: {
      cwd: launch.container ? workspaceInside : launch.cwd,
      ...rightsOf(launch.permissionMode, launch),
      ...given({ model: launch.model }),
      ...(instructions === '' ? {} : { developerInstructions: instructions }),
      config: {
        projects: projectTrust(launch),
        ...(Object.keys(servers).length > 0 ? { mcp_servers: servers } : {}),
      },
    },
    servers: Object.keys(servers),
    warnings: [...warnings, ...(project?.problems ?? []), ...notHandedOver(launch)],
  };
}

/** Codex does not read them in a project that it does not trust (measured). */
const agentsFiles: InstructionNames = {
  files: [['AGENTS.override.md', 'AGENTS.md']],
  folders: [],
  imports: false,
};

/** Codex takes a project's settings only from the project itself, where they could be changed while it works. */
function notHandedOver({ projectCode }: Launch): string[] {
  if (projectCode === 'workspace') return [];
  const files = projectCode.files.map(({ path }) => path).filter((path) => /^(\.\.\/)*\.codex\//.test(path));
  if (files.length === 0) return [];
  return [
    `Codex runs without ${files.join(', ')}: name servers in .mcp.json, and keep other settings in your own config.toml.`,
  ];
}

/**
 * Only a trusted project's own settings, hooks and rules are read; they can start programs. Codex looks for them in every
 * folder up to the top of the project, and whether it trusts one of them may stand in the user's settings (measured), so
 * that each is named.
 */
function projectTrust({ cwd, projectCode, container }: Launch): object {
  if (container)
    return { [workspaceInside]: { trust_level: projectCode === 'workspace' ? 'trusted' : 'untrusted' } };
  if (projectCode === 'workspace') return { [cwd]: { trust_level: 'trusted' } };
  const folders = [cwd, ...foldersBetween(projectTop(realpathSync(cwd)), realpathSync(cwd))];
  return Object.fromEntries(folders.map((folder) => [folder, { trust_level: 'untrusted' }]));
}

const teaching = `To ask a person something: use request_user_input when you can wait for the answer. When the answer may take long, or when no tool can ask, call needs_input with the question (or write it as JSON {"question", "options", "context", "partial_state"} to .agora/needs_input.json) and end your turn at once: the answer comes as the next message. Never guess an answer that only a person can give.`;

function isTaught({ env }: Launch): boolean {
  return env[noHelperVariable] !== 'true';
}

function mcpConfig(launch: Launch): { servers: Record<string, object>; warnings: string[] } {
  const { servers, warnings } = chosenServers(launch);
  const config: Record<string, object> = {};
  for (const [name, server] of Object.entries(servers)) {
    const entry = launch.toolPreset === 'full' ? codexServer(server) : 'the tool preset leaves it out';
    if (typeof entry === 'string') warnings.push(`The MCP server "${name}" is left out: ${entry}.`);
    else config[name] = entry;
  }
  return { servers: config, warnings };
}

/** A server in Codex's words, or why it cannot have it. */
function codexServer(server: McpServer): object | string {
  if ('command' in server) {
    const { command, args = [], env = {} } = server;
    return { command, args, env };
  }
  if (server.type === 'sse') return 'Codex does not speak sse';
  return { url: server.url, ...(server.headers ? { http_headers: server.headers } : {}) };
}
