import { randomBytes } from 'node:crypto';
import { linkInside } from '../../domain/container/container-arguments.js';
import type { SavedSession } from '../../domain/run/saved-session.js';
import { packageRoot } from '../../process/files/package-root.js';
import { readSavedSession } from '../claude/saved-session.js';
import { readCodexResults } from '../codex/saved-session.js';
import { configContent, withPlugin } from '../opencode/config-content.js';
import type { InstructionNames } from '../project-instructions.js';
import { randomPort } from '../random-port.js';
import type { Launch, SavedSessionPlace } from '../runtime.js';

/** What is known of one agent that speaks ACP; all of it was measured, except for agents that nobody here knows. */
export interface AcpAgent {
  /** The command line, where the user's settings name no other one. */
  readonly command?: string;
  /** How it is installed. */
  readonly install?: string;
  /** Whether it takes up a session after its process has ended. */
  readonly resumes: boolean;
  /** Whether it asks questions over ACP. */
  readonly asks: boolean;
  /** Its own modes: the one in which it asks, and the one in which nobody is asked. */
  readonly modes?: { readonly asking: string; readonly bypassing: string };
  /** What its arguments get besides, at each start. */
  readonly moreArgs?: (args: readonly string[]) => readonly string[];
  /** Variables that it is started with. */
  readonly env?: (
    launch: Pick<Launch, 'projectCode' | 'env' | 'container'>,
  ) => Readonly<Record<string, string>>;
  /** Those among them that no MCP server of it may get. */
  readonly hidden?: readonly string[];
  /** What a session is opened with besides. */
  readonly sessionMeta?: (launch: Pick<Launch, 'projectCode'>) => object | undefined;
  /** Whether something keeps it from loading code of the project; else the user's settings have to say that it may. */
  readonly isGuarded: boolean;
  /** What only instructs it, and what it does not read in a project that it does not trust. */
  readonly instructions?: InstructionNames;
  /** Files and folders of a project that it loads whatever it is told. */
  readonly loads?: readonly string[];
  /** What its own store says of calls that have ended, where it does not tell all of them again: questions are left out. */
  readonly savedResults?: (
    place: SavedSessionPlace,
  ) => Promise<Pick<SavedSession, 'hasResult' | 'isCutOff'> | null>;
  /** Whether a command outlives the cancellation of its turn. */
  readonly leavesCommands?: true;
  /** Whether its warnings are text that begins so and belongs to no message. */
  readonly warnsInText?: true;
}

/** An agent that nobody here knows. */
const anyAgent: AcpAgent = { resumes: false, asks: true, isGuarded: false };

function onlyApproved({ projectCode }: Pick<Launch, 'projectCode'>): boolean {
  return projectCode !== 'workspace';
}

/** OpenCode runs everything unasked unless it is told otherwise; what only reads may go on. */
const opencodeRules = JSON.stringify({
  '*': 'ask',
  ...Object.fromEntries(
    ['read', 'glob', 'grep', 'list', 'lsp', 'skill', 'task', 'todoread', 'todowrite'].map((tool) => [
      tool,
      'allow',
    ]),
  ),
});

/** It serves HTTP besides, on the port of its user's own server unless it is told another one. */
function opencodeAddress(args: readonly string[]): readonly string[] {
  const isTold = args.some((arg) => arg.startsWith('--port'));
  return args.includes('acp') && !isTold ? ['--hostname', '127.0.0.1', '--port', randomPort()] : [];
}

/** The plugin that keeps the password of the server from the agent's commands. */
const hidesPassword = 'hide-opencode-password.js';

/** Whoever can call that server can approve what the agent asks, and without a password everybody on the machine can. */
function opencodeServer({
  env,
  container,
}: Pick<Launch, 'env' | 'container'>): Readonly<Record<string, string>> {
  const { content } = configContent(env['OPENCODE_CONFIG_CONTENT']);
  const plugin = container
    ? `file://${linkInside}/${hidesPassword}`
    : new URL(`dist/runtimes/acp/${hidesPassword}`, packageRoot).href;
  return {
    OPENCODE_SERVER_PASSWORD: randomBytes(24).toString('base64url'),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(withPlugin(content, plugin)),
  };
}

/** What codex-acp is set to besides what the user has set: questions in every mode, and an end of tries. */
function codexConfig(own: string | undefined): string {
  const config = objectIn(own);
  const features = {
    ...objectOf(config['features']),
    default_mode_request_user_input: true,
    unbounded_connection_retries: false,
  };
  return JSON.stringify({ ...config, suppress_unstable_features_warning: true, features });
}

function objectIn(json: string | undefined): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(json ?? '{}'));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The agents that were tested, by the names under which they are offered. */
export const testedAgents: Readonly<Record<string, AcpAgent>> = {
  gemini: {
    command: 'gemini --acp',
    install: 'npm install -g @google/gemini-cli',
    // It announces session/load, and finds no session whatever happened before.
    resumes: false,
    asks: false,
    modes: { asking: 'default', bypassing: 'default' },
    env: (launch) => ({
      // Otherwise it starts itself a second time, and the first process swallows a SIGTERM while it waits.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      ...(onlyApproved(launch) ? { GEMINI_CLI_TRUST_WORKSPACE: 'false' } : {}),
    }),
    isGuarded: true,
    instructions: { files: [['GEMINI.md']], folders: [], imports: true },
  },
  'claude-agent-acp': {
    command: 'claude-agent-acp',
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    resumes: true,
    asks: true,
    modes: { asking: 'default', bypassing: 'default' },
    sessionMeta: (launch) =>
      onlyApproved(launch)
        ? { claudeCode: { options: { settingSources: [], strictMcpConfig: true } } }
        : undefined,
    savedResults: readSavedSession,
    isGuarded: true,
    instructions: { files: [['CLAUDE.md'], ['CLAUDE.local.md']], folders: ['.claude/rules'], imports: true },
  },
  'codex-acp': {
    command: 'codex-acp',
    install: 'npm install -g @agentclientprotocol/codex-acp',
    resumes: true,
    asks: true,
    modes: { asking: 'read-only', bypassing: 'agent-full-access' },
    isGuarded: false,
    // It declares every project trusted, and nothing can tell it otherwise.
    loads: ['.codex'],
    env: ({ env }) => ({ CODEX_CONFIG: codexConfig(env['CODEX_CONFIG']) }),
    savedResults: readCodexResults,
    leavesCommands: true,
    warnsInText: true,
  },
  opencode: {
    command: 'opencode acp',
    install: 'npm install -g opencode-ai',
    resumes: true,
    asks: false,
    moreArgs: opencodeAddress,
    env: (launch) => ({
      OPENCODE_PERMISSION: opencodeRules,
      ...opencodeServer(launch),
      ...(onlyApproved(launch)
        ? { OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' }
        : {}),
    }),
    hidden: ['OPENCODE_SERVER_PASSWORD'],
    isGuarded: true,
    // It can be told to leave them alone, and runs plugins all the same.
    loads: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    instructions: { files: [['AGENTS.md', 'CLAUDE.md']], folders: [], imports: false },
  },
};

/** What is known of the agent with this name. */
export function acpAgent(name: string): AcpAgent {
  return Object.hasOwn(testedAgents, name) ? (testedAgents[name] ?? anyAgent) : anyAgent;
}
