import { Failure } from '../../protocol/failure.js';
import { noHelperVariable } from '../../protocol/needs-input.js';
import type { McpServer } from '../../protocol/posture.js';
import { chosenServers } from '../mcp-servers.js';
import { type InstructionNames, ProjectInstructions } from '../project-instructions.js';
import { expectMayBypass } from '../root-bypass.js';
import type { CheckedLaunch, Launch } from '../runtime.js';
import { findOpencode } from './binary.js';
import { configContent, objectIn, withPlugin } from './config-content.js';
import { settingsRules } from './rules.js';

/** What an OpenCode is started with. */
export interface OpencodeSettings {
  readonly env: Record<string, string>;
  /** What every message tells the model besides. */
  readonly system: string | undefined;
  readonly servers: readonly string[];
  readonly warnings: readonly string[];
}

/** Refuses what cannot work before it is started. */
export function checkOpencodeLaunch(launch: CheckedLaunch): void {
  if (!launch.container) findOpencode(launch.env);
  expectMayBypass(launch.permissionMode, launch.env);
  if (launch.fork && launch.resume === undefined)
    throw new Failure('usage', '--fork needs --resume: it forks the session that is resumed.');
  if (launch.fallbackModel !== undefined || launch.betas.length > 0)
    throw new Failure(
      'unsupported_by_runtime',
      'The runtime opencode cannot do this: a fallback model, or betas.',
    );
}

/** The environment of the agent: ours, without what is ours alone, and with the settings that hold for this run. */
export function opencodeSettings(
  launch: Launch,
  own: {
    readonly password: string;
    readonly marker: Record<string, string>;
    /** Whether OpenCode may read the settings that lie in the project. */
    readonly readsProject: boolean;
    /** The plugin that makes it forget its password. */
    readonly plugin: string;
  },
): OpencodeSettings {
  const inherited = Object.entries(launch.env).filter(([name]) => !isDropped(name));
  const theirs = configContent(launch.env['OPENCODE_CONFIG_CONTENT']);
  const { servers, warnings } = mcpConfig(launch);
  const content = {
    ...withPlugin(theirs.content, own.plugin),
    mcp: { ...objectIn(theirs.content, 'mcp'), ...servers },
    // Calls that are refused together with another one are refused without words, which would end the turn (measured).
    experimental: { ...objectIn(theirs.content, 'experimental'), continue_loop_on_deny: true },
    autoupdate: false,
  };
  // OpenCode reads them itself where it may read the project.
  const project = own.readsProject ? null : new ProjectInstructions(launch.cwd, instructionNames);
  const system = [project?.forWork(), launch.instructions, isTaught(launch) ? teaching : undefined]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return {
    env: {
      ...Object.fromEntries(inherited),
      OPENCODE_SERVER_PASSWORD: own.password,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
      // Merged into the settings after all others.
      OPENCODE_PERMISSION: JSON.stringify(settingsRules()),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      ...(own.readsProject
        ? {}
        : { OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' }),
      ...own.marker,
    },
    system: system === '' ? undefined : system,
    servers: Object.keys(servers),
    warnings: [...warnings, ...theirs.warnings, ...(project?.problems ?? [])],
  };
}

const instructionNames: InstructionNames = {
  files: [['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']],
  folders: [],
  imports: false,
};

const teaching = `To ask a person something: use the tool question when you can wait for the answer. When the answer may take long, or when no tool can ask, write the question as JSON {"question", "options", "context", "partial_state"} to .agora/needs_input.json and end your turn at once: the answer comes as the next message. Never guess an answer that only a person can give.`;

function isTaught({ env }: Launch): boolean {
  return env[noHelperVariable] !== 'true';
}

/** What is ours alone, and what would change who may call the server. */
function isDropped(name: string): boolean {
  return name.startsWith('HANDRAISE_') || ['OPENCODE_SERVER_USERNAME', 'OPENCODE_CLIENT'].includes(name);
}

function mcpConfig(launch: Launch): { servers: Record<string, object>; warnings: string[] } {
  const { servers, warnings } = chosenServers(launch);
  const config: Record<string, object> = {};
  for (const [name, server] of Object.entries(servers)) {
    if (launch.toolPreset === 'full') config[name] = opencodeServer(server);
    else warnings.push(`The MCP server "${name}" is left out: the tool preset leaves it out.`);
  }
  return { servers: config, warnings };
}

/** A server in OpenCode's words. It starts before the password is forgotten, so that it gets none. */
function opencodeServer(server: McpServer): object {
  if ('command' in server) {
    const { command, args, env } = server;
    return {
      type: 'local',
      command: [command, ...(Array.isArray(args) ? args : [])],
      environment: { ...(typeof env === 'object' ? env : {}), OPENCODE_SERVER_PASSWORD: '' },
      enabled: true,
    };
  }
  return {
    type: 'remote',
    url: server.url,
    ...(server.headers ? { headers: server.headers } : {}),
    enabled: true,
  };
}
