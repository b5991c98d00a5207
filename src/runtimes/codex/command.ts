import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Failure } from '../../protocol/failure.js';
import { noHelperVariable } from '../../protocol/needs-input.js';
import { type McpServer } from '../../protocol/posture.js';
import { chosenServers } from '../mcp-servers.js';
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
export function checkLaunch(launch: CheckedLaunch): void {
  findCodex(launch.env);
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
  const instructions = [launch.instructions, ...(isTaught(launch) ? [teaching] : [])]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return {
    params: {
      cwd: launch.cwd,
      ...rightsOf(launch.permissionMode, launch.toolPreset),
      ...(launch.model === undefined ? {} : { model: launch.model }),
      ...(instructions === '' ? {} : { developerInstructions: instructions }),
      config: {
        // Only a trusted project's own settings are read; they can start programs.
        projects: { [launch.cwd]: { trust_level: launch.projectCode ? 'trusted' : 'untrusted' } },
        ...(Object.keys(servers).length > 0 ? { mcp_servers: servers } : {}),
      },
    },
    servers: Object.keys(servers),
    warnings,
  };
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
