import type { CanUseTool } from '@anthropic-ai/claude-agent-sdk';
import { expect, it } from 'vitest';
import { readScriptFile } from '../../src/simulator/index.js';
import { ClaudeSession } from '../harness/claude-session.js';
import { openStage } from '../harness/stage.js';

it('drives Claude Code through two turns with thinking, parallel tool calls and a question', async () => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage, { canUseTool: answerWith('Blue') });

  const first = await claude.turn(
    `[[think Two at once.]] ${bash('echo one')} ${bash('echo two')} [[next]] [[text Both ran.]]`,
  );
  const second = await claude.turn('[[ask Which colour? | Red | Blue]] [[next]] [[text Blue it is.]]');

  expect([first, second].map(textOf)).toEqual(['Both ran.', 'Blue it is.']);
  const { simulator } = stage;
  expect(
    simulator.requests.map(({ wire, decision, answer }) => [wire, decision?.from, answer?.status]),
  ).toEqual([...Array(4)].map(() => ['anthropic', 'prompt', 200]));
  expect(simulator.toolResults().map(({ text, isError }) => ({ text, isError }))).toEqual([
    { text: 'one', isError: false },
    { text: 'two', isError: false },
    { text: expect.stringContaining('"Which colour?"="Blue"'), isError: false },
  ]);
  expect(blocks(claude, 'thinking')).toEqual(['Two at once.']);
});

it('proposes a plan', async () => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage, { permissionMode: 'plan', canUseTool: answerWith('') });

  const result = await claude.turn('[[tool ExitPlanMode {}]] [[next]] [[text Off we go.]]');

  expect(textOf(result)).toBe('Off we go.');
  expect(stage.simulator.toolResults().map(({ text }) => text)).toEqual([
    expect.stringContaining('approved'),
  ]);
});

it('scripts a sub-agent through the prompt of its parent', async () => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage, { permissionMode: 'bypassPermissions' });
  const input = {
    description: 'count',
    prompt: `<<tool Bash {"command":"echo from below"}>> <<next>> <<text The child is done.>>`,
    subagent_type: 'general-purpose',
    run_in_background: false,
  };

  const result = await claude.turn(
    `[[tool Agent ${JSON.stringify(input)}]] [[next]] [[text The parent is done.]]`,
  );

  expect(textOf(result)).toBe('The parent is done.');
  expect(stage.simulator.toolResults().map(({ text }) => text)).toEqual([
    'from below',
    expect.stringContaining('The child is done.'),
  ]);
});

it('plays a script from a file', async () => {
  const script = await readScriptFile(
    new URL('../../examples/simulator/review.yaml', import.meta.url).pathname,
  );
  await using stage = await openStage('claude', { script });
  await using claude = new ClaudeSession(stage, { canUseTool: answerWith('Wait') });

  const result = await claude.turn('Review and ship.');

  expect(textOf(result)).toBe('I wait.');
  expect(stage.simulator.requests.map(({ decision, answer }) => [decision?.from, answer?.status])).toEqual([
    ['script', 200],
    ['script', 529],
    ['script', 200],
    ['script', 200],
  ]);
});

it('summarises a conversation without using up the script', async () => {
  const script = { replies: [{ blocks: [{ text: 'first' }] }, { blocks: [{ text: 'second' }] }] };
  await using stage = await openStage('claude', { script });
  await using claude = new ClaudeSession(stage);

  const results = [await claude.turn('one'), await claude.turn('/compact'), await claude.turn('two')];

  expect(results.map(textOf)).toEqual(['first', expect.any(String), 'second']);
  expect(stage.simulator.requests.map(({ decision }) => decision?.sideCall ?? decision?.from)).toEqual([
    'script',
    'compaction',
    'script',
  ]);
});

function answerWith(answer: string): CanUseTool {
  return async (_tool, input) => {
    const questions = Array.isArray(input.questions) ? input.questions : [];
    const answers = Object.fromEntries(questions.map(({ question }) => [question, answer]));
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  };
}

function bash(command: string): string {
  return `[[tool Bash ${JSON.stringify({ command })}]]`;
}

function textOf(result: Awaited<ReturnType<ClaudeSession['turn']>>): string {
  return result.subtype === 'success' ? result.result : result.subtype;
}

function blocks({ messages }: ClaudeSession, type: 'thinking'): string[] {
  return messages
    .flatMap((message) => (message.type === 'assistant' ? message.message.content : []))
    .flatMap((block) => (block.type === type ? [block.thinking] : []));
}
