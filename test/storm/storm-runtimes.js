import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { equipOpencode } from '../harness/opencode-config.js';

const root = new URL('../../', import.meta.url).pathname;

/**
 * @typedef {'claude' | 'codex' | 'opencode' | 'acp:claude-agent-acp'} RuntimeName
 * @typedef {{ tool: string, input: Record<string, unknown> }} Call
 */

/**
 * How the model of a storm makes its agent do things, and where the agent is found.
 * @typedef {object} StormRuntime
 * @property {RuntimeName} name
 * @property {'claude' | 'codex' | 'opencode'} steered  whose settings lead it to its model
 * @property {RegExp} process  in the command line of the agent
 * @property {(command: string) => Call} shell
 * @property {(command: string) => Call} asking  a command that is asked about
 * @property {(parts: { question: string, header: string, options: { label: string, description: string }[] }[]) => Call} questions  several in one call
 * @property {readonly Call[]} batch  several calls in one reply that are asked about
 * @property {((prompt: string) => Call) | null} helper  a sub-agent that is waited for; null where the model cannot wait for one
 * @property {(question: string, workspace: string) => Call} leave  leaves a question in the needs-input file
 * @property {(env: Record<string, string>) => string} sessions  where it keeps them
 * @property {() => Record<string, string>} env
 * @property {(env: Readonly<Record<string, string>>) => Promise<void>} [equip]  what its home needs before its first start
 */

/** The command of every approval, so that a model that was told to repeat it can. */
export const command = 'echo did >> log.txt';

/** @type {StormRuntime} */
const claude = {
  name: 'claude',
  steered: 'claude',
  process: /\/claude\0.*stream-json/,
  shell: (line) => ({ tool: 'Bash', input: { command: line } }),
  asking: (line) => ({ tool: 'Bash', input: { command: line } }),
  questions: (parts) => ({
    tool: 'AskUserQuestion',
    input: { questions: parts.map((part) => ({ ...part, multiSelect: false })) },
  }),
  batch: ['a', 'b'].map((path) => ({
    tool: 'WebFetch',
    input: { url: `http://127.0.0.1:1/${path}`, prompt: path },
  })),
  helper: (prompt) => ({
    tool: 'Agent',
    input: { description: 'a helper', prompt, subagent_type: 'general-purpose', run_in_background: false },
  }),
  leave: (question, workspace) => ({
    tool: 'Write',
    input: {
      file_path: join(workspace, '.agora', 'needs_input.json'),
      content: JSON.stringify({ question }),
    },
  }),
  sessions: (env) => join(env['CLAUDE_CONFIG_DIR'] ?? '', 'projects'),
  env: () => ({}),
};

/** @type {StormRuntime} */
const codex = {
  name: 'codex',
  steered: 'codex',
  process: /\/codex\0app-server/,
  shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  asking: leavingSandbox,
  questions: (parts) => ({
    tool: 'request_user_input',
    input: { questions: parts.map((part, index) => ({ id: `q${index}`, ...part })) },
  }),
  batch: [leavingSandbox(command), leavingSandbox(command)],
  // Its helpers work beside it, and which of them to wait for is known only when they are there.
  helper: null,
  leave: (question) => ({ tool: 'needs_input', input: { question } }),
  sessions: (env) => join(env['CODEX_HOME'] ?? '', 'sessions'),
  env: () => ({
    HANDRAISE_CODEX: installed(
      'codex',
      `@openai/codex-${process.platform}-${process.arch}/vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'}/bin/codex`,
    ),
  }),
};

/** @type {StormRuntime} */
const opencode = {
  name: 'opencode',
  steered: 'opencode',
  process: /opencode\.exe\0serve/,
  shell: opencodeShell,
  asking: opencodeShell,
  questions: (parts) => ({
    tool: 'question',
    input: { questions: parts.map((part) => ({ ...part, multiple: false })) },
  }),
  batch: ['a', 'b'].map((path) => ({
    tool: 'webfetch',
    input: { url: `http://127.0.0.1:1/${path}`, format: 'text' },
  })),
  helper: (prompt) => ({
    tool: 'task',
    input: { description: 'a helper', prompt, subagent_type: 'general' },
  }),
  leave: (question, workspace) => ({
    tool: 'write',
    input: { filePath: join(workspace, '.agora', 'needs_input.json'), content: JSON.stringify({ question }) },
  }),
  sessions: (env) => join(env['XDG_DATA_HOME'] ?? '', 'opencode'),
  env: () => ({ HANDRAISE_OPENCODE: installed('opencode', 'opencode-ai/bin/opencode.exe') }),
  equip: async (env) => await equipOpencode(dirname(installed('opencode')), env),
};

/** @type {StormRuntime} */
const claudeAcp = {
  ...claude,
  name: 'acp:claude-agent-acp',
  process: /node\0[^\0]*claude-agent-acp/,
  env: () => onPath(join(installed('claude-agent-acp'), '.bin')),
};

/** The agents that a storm can be run on. @type {Readonly<Record<RuntimeName, StormRuntime>>} */
export const stormRuntimes = {
  claude,
  codex,
  opencode,
  'acp:claude-agent-acp': claudeAcp,
};

/** @param {string} folder @returns {Record<string, string>} */
function onPath(folder) {
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

/** @param {string} cmd @returns {Call} */
function leavingSandbox(cmd) {
  return {
    tool: 'exec_command',
    input: { cmd, sandbox_permissions: 'require_escalated', justification: 'It has to be done.' },
  };
}

/** @param {string} line @returns {Call} */
function opencodeShell(line) {
  return { tool: 'bash', input: { command: line, description: 'It has to be done.' } };
}

/** A program that the tests have installed, or the folder of all its packages. @param {string} runtime @param {string} [file] @returns {string} */
function installed(runtime, file = '') {
  const pin = join(root, 'test/harness/runtimes', runtime, 'package.json');
  const [version] = Object.values(JSON.parse(readFileSync(pin, 'utf8')).dependencies);
  const path = join(root, `node_modules/.cache/handraise/runtimes/${runtime}@${version}/node_modules`, file);
  if (!existsSync(path))
    throw new Error(
      `${path} is not there: run npm test -- test/runtimes/${runtime} first, which installs it.`,
    );
  return path;
}
