import type { InstructionNames } from '../project-instructions.js';
import type { Launch } from '../runtime.js';

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
  /** Variables that it is started with. */
  readonly env?: (launch: Pick<Launch, 'projectCode' | 'env'>) => Readonly<Record<string, string>>;
  /** What a session is opened with besides. */
  readonly sessionMeta?: (launch: Pick<Launch, 'projectCode'>) => object | undefined;
  /** Whether something keeps it from loading code of the project; else the user's settings have to say that it may. */
  readonly isGuarded: boolean;
  /** What only instructs it, and what it does not read in a project that it does not trust. */
  readonly instructions?: InstructionNames;
  /** Files and folders of a project that it loads whatever it is told. */
  readonly loads?: readonly string[];
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
    leavesCommands: true,
    warnsInText: true,
  },
  opencode: {
    command: 'opencode acp',
    install: 'npm install -g opencode-ai',
    resumes: true,
    asks: false,
    env: (launch) => ({
      OPENCODE_PERMISSION: opencodeRules,
      ...(onlyApproved(launch)
        ? { OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' }
        : {}),
    }),
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
