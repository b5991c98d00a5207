import { createRequire } from 'node:module';
import { acpRuntime } from '../../../src/runtimes/acp/index.js';
import { AcpTranslator } from '../../../src/runtimes/acp/translate.js';
import { amp } from '../../../src/runtimes/amp/index.js';
import { claude } from '../../../src/runtimes/claude/index.js';
import { ClaudeTranslator } from '../../../src/runtimes/claude/translate.js';
import { codex } from '../../../src/runtimes/codex/index.js';
import { CodexTranslator } from '../../../src/runtimes/codex/translate.js';
import { readNotification } from '../../../src/runtimes/codex/wire.js';
import { exec } from '../../../src/runtimes/exec/index.js';
import { opencode } from '../../../src/runtimes/opencode/index.js';
import { OpencodeTranslator } from '../../../src/runtimes/opencode/translate.js';
import { readEvent } from '../../../src/runtimes/opencode/wire.js';
import type { RuntimeRig } from '../../../src/testing/rig.js';
import { planFile } from '../../harness/plan-file.js';
import { openStage } from '../../harness/stage.js';
import { bash, tool } from '../../runner/prompting.js';
import { openAcpStage, steeringOf, type TestedAgent } from '../../runtimes/acp/acp-driver.js';
import { asking, openCodexStage, shell } from '../../runtimes/codex/codex-driver.js';
import { opencodeShell, openOpencodeStage } from '../../runtimes/opencode/opencode-driver.js';

const translating = {
  now: () => 0,
  cwd: '/',
  limits: {},
  permissionMode: 'default',
  expectsStructuredOutput: false,
} as const;

const claudeRig: RuntimeRig = {
  runtime: claude,
  tells: 'everything',
  process: '--output-format',
  open: async () => await openStage('claude'),
  shell: bash,
  asking: bash,
  news: (raw) => new ClaudeTranslator(translating).message(raw),
  // Claude Code reads its plan from a file, whose path stands in the reminder that plan mode adds.
  plan: async (runner, stage, text) => {
    await runner.turn('[[text I will plan.]]');
    await runner.turn(
      `${tool('Write', { file_path: planFile(stage.simulator), content: text })} [[next]] [[text Written.]]`,
    );
    return `${tool('ExitPlanMode')} [[next]] ${bash('touch planned')} [[next]] [[text Carried out.]]`;
  },
};

const codexRig: RuntimeRig = {
  runtime: codex,
  tells: 'everything',
  process: 'app-server',
  open: async () => await openCodexStage(),
  shell,
  asking,
  news: (raw) =>
    new CodexTranslator(translating).notification(readNotification(String(raw['method']), raw['params'])),
  // Codex hears of the decision in a message of its own, which scripts nothing, so that the model then only answers.
  plan: async (_runner, stage, text) => {
    stage.simulator.setScript({
      replies: [
        { blocks: [{ text: `<proposed_plan>\n${text}</proposed_plan>` }] },
        {
          blocks: [
            {
              tool: 'exec_command',
              input: { cmd: 'touch planned', sandbox_permissions: 'require_escalated' },
            },
          ],
        },
        { blocks: [{ text: 'Carried out.' }] },
      ],
    });
    return 'Plan it.';
  },
};

const opencodeRig: RuntimeRig = {
  runtime: opencode,
  tells: 'everything',
  process: 'opencode.exe serve',
  open: async () => await openOpencodeStage(),
  shell: opencodeShell,
  asking: opencodeShell,
  news: (raw) => new OpencodeTranslator(translating).event(readEvent(raw)),
};

const commandFile = new URL('../../../examples/runtime/scripted-agent.js', import.meta.url).pathname;
const directive = (command: string) => `[[shell ${JSON.stringify(command)}]]`;

const execRig: RuntimeRig = {
  runtime: exec,
  args: ['--command', `${process.execPath} ${commandFile}`],
  tells: 'text',
  process: 'scripted-agent',
  open: async () => await openStage('claude'),
  shell: directive,
  asking: directive,
};

/** Claude Code as npm installed it. */
function claudeBinary(): string {
  const require = createRequire(import.meta.url);
  const program = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  return require.resolve(`${program}/claude`);
}

const standIn = new URL('../../fixtures/amp/amp.sh', import.meta.url).pathname;

const ampRig: RuntimeRig = {
  runtime: amp,
  tells: 'everything',
  process: '--include-partial-messages',
  open: async () => {
    const stage = await openStage('claude');
    return {
      ...stage,
      env: { ...stage.env, HANDRAISE_AMP: standIn, AMP_API_KEY: 'any', AMP_STAND_IN: claudeBinary() },
    };
  },
  shell: bash,
  asking: bash,
};

/** The agents behind ACP, with what the command line of each has. */
const acpProcesses: Readonly<Record<TestedAgent, string>> = {
  gemini: 'gemini.js',
  'claude-agent-acp': 'claude-agent-acp/dist/index.js',
  'codex-acp': 'codex-acp/dist/index.js',
  opencode: 'opencode.exe',
};

const acpRigs = (Object.keys(acpProcesses) as TestedAgent[]).map(acpRig);

function acpRig(name: TestedAgent): RuntimeRig {
  const { shell: shelling, asking: wanting, models } = steeringOf(name);
  return {
    runtime: acpRuntime(name),
    tells: 'everything',
    ...(name === 'gemini' ? { tellsOutput: false } : {}),
    ...(name === 'codex-acp' ? { refusalEndsTurn: true } : {}),
    process: acpProcesses[name],
    open: async () => await openAcpStage(name),
    shell: shelling,
    asking: wanting,
    models,
    news: (raw) => {
      const translator = new AcpTranslator(translating);
      translator.begin('');
      return translator.updated(raw);
    },
  };
}

/** Every runtime that keeps the contract; the next one is a line here. */
export const rigs: readonly RuntimeRig[] = [claudeRig, codexRig, opencodeRig, ampRig, execRig, ...acpRigs];
