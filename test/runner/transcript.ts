import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type HookInput, type Options, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { hookNames } from '../../src/runtimes/claude/wire.js';
import { openStage, type Stage } from '../harness/stage.js';

/** One thing that the SDK said, or that it was told, in the order in which a session sees it. */
export type Line =
  | { readonly kind: 'begin'; readonly uuid: string }
  | { readonly kind: 'message'; readonly raw: unknown }
  | { readonly kind: 'hook'; readonly raw: unknown }
  | { readonly kind: 'gone' };

/** What is played to be recorded. */
export interface Scenario {
  readonly prompts: readonly string[];
  readonly options?: Options;
  readonly env?: Record<string, string>;
  /** How many results come; more than prompts when the agent wakes by itself. */
  readonly results?: number;
}

export function readTranscript(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Plays a scenario with the real Claude Code and gives everything that it said, with nothing of this machine. */
export async function record(scenario: Scenario): Promise<Line[]> {
  await using stage = await openStage('claude');
  const lines: Line[] = [];
  const announced = new Waiting();
  const ends = new Waiting();

  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (const [turn, text] of scenario.prompts.entries()) {
      const uuid = randomUUID();
      lines.push({ kind: 'begin', uuid });
      yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, uuid };
      await ends.for(`result ${turn + 1}`);
    }
    await ends.for('everything');
  }
  const hook = async (input: HookInput) => {
    if (input.hook_event_name === 'PreToolUse' && input.agent_id === undefined)
      await announced.for(input.tool_use_id);
    lines.push({ kind: 'hook', raw: input });
    return input.hook_event_name === 'PreToolUse' && input.tool_name === 'AskUserQuestion'
      ? answered(input.tool_input)
      : {};
  };

  let results = 0;
  for await (const message of query({
    prompt: prompts(),
    options: {
      cwd: stage.workspace,
      settingSources: [],
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      includePartialMessages: true,
      canUseTool: async (_tool, input) => ({ behavior: 'allow', updatedInput: input }),
      hooks: Object.fromEntries(hookNames.map((name) => [name, [{ hooks: [hook] }]])),
      ...scenario.options,
      env: { ...stage.env, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1', ...scenario.env },
    },
  })) {
    lines.push({ kind: 'message', raw: message });
    if (message.type === 'assistant')
      for (const block of message.message.content) if (block.type === 'tool_use') announced.say(block.id);
    if (message.type !== 'result') continue;
    results += 1;
    ends.say(`result ${results}`);
    if (results === (scenario.results ?? scenario.prompts.length)) ends.say('everything');
  }
  return [...anonymous(lines, stage), { kind: 'gone' }];
}

/** Ids that are told and waited for, in either order. */
class Waiting {
  readonly #said = new Set<string>();
  readonly #waiters = new Map<string, () => void>();

  say(id: string): void {
    this.#said.add(id);
    this.#waiters.get(id)?.();
  }

  async for(id: string): Promise<void> {
    if (!this.#said.has(id)) await new Promise<void>((resolve) => this.#waiters.set(id, resolve));
  }
}

function answered(input: unknown) {
  const { questions } = input as { questions: { question: string; options: { label: string }[] }[] };
  const answers = Object.fromEntries(questions.map(({ question, options }) => [question, options[0]?.label]));
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse' as const,
      permissionDecision: 'allow' as const,
      updatedInput: { questions, answers },
    },
  };
}

/** The lines without this machine's paths, and with ids by first appearance. */
function anonymous(lines: readonly Line[], stage: Stage): Line[] {
  const ids = new Map<string, string>();
  const numbered = (make: (count: number) => string) => (id: string) => {
    const known = ids.get(id) ?? make(ids.size + 1);
    ids.set(id, known);
    return known;
  };
  const uuid = numbered((count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
  const agent = numbered((count) => `a${String(count).padStart(16, '0')}`);
  const text = lines
    .map((line) => JSON.stringify(line))
    .join('\n')
    .replaceAll(stage.home, '/home/tester')
    .replaceAll(stage.home.replaceAll(/[^\w]/g, '-'), '-home-tester')
    .replaceAll(new URL(stage.simulator.url).host, '127.0.0.1:4010')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => uuid(id))
    .replaceAll(/\ba[0-9a-f]{16}\b/g, (id) => agent(id))
    .replaceAll(/(call|msg)_sim[0-9a-f]{6}(\d{5})/g, '$1_sim$2');
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}
