import { claude } from '../../../src/runtimes/claude/index.js';
import { Translator as ClaudeTranslator } from '../../../src/runtimes/claude/translate.js';
import { codex } from '../../../src/runtimes/codex/index.js';
import { Translator as CodexTranslator } from '../../../src/runtimes/codex/translate.js';
import { readNotification } from '../../../src/runtimes/codex/wire.js';
import { exec } from '../../../src/runtimes/exec/index.js';
import { openStage } from '../../harness/stage.js';
import { bash, tool } from '../../runner/prompting.js';
import { asking, openCodexStage, shell } from '../../runtimes/codex/codex-driver.js';
import type { RuntimeRig } from './rig.js';

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
    const request = JSON.stringify(stage.simulator.modelRequests().at(-1)?.body);
    const [path] = /\/[^\s"\\`]*\/plans\/[^\s"\\`]+\.md/.exec(request) ?? [];
    await runner.turn(`${tool('Write', { file_path: path, content: text })} [[next]] [[text Written.]]`);
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

const commandFile = new URL('../../fixtures/exec/directive-agent.js', import.meta.url).pathname;
const directive = (command: string) => `[[shell ${JSON.stringify(command)}]]`;

const execRig: RuntimeRig = {
  runtime: exec,
  args: ['--command', `${process.execPath} ${commandFile}`],
  tells: 'text',
  process: 'directive-agent',
  open: async () => await openStage('claude'),
  shell: directive,
  asking: directive,
};

/** Every runtime that keeps the contract; the next one is a line here. */
export const rigs: readonly RuntimeRig[] = [claudeRig, codexRig, execRig];
