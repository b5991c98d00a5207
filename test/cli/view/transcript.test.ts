import { expect, it } from 'vitest';
import { palette } from '../../../src/cli/terminal/colours.js';
import { Transcript } from '../../../src/cli/view/transcript.js';
import type { Fact } from '../../../src/client/index.js';
import { DispatchId, PromptId, RunId } from '../../../src/protocol/id.js';
import type { Outcome } from '../../../src/protocol/outcome.js';

const dispatchId = DispatchId.parse('dsp_01k00000000000000000000000');
const promptId = PromptId.parse('prm_01k00000000000000000000000');
const run = RunId.parse('run_01k00000000000000000000000');
const failed: Outcome = {
  result: 'failed',
  exitCode: 1,
  reason: 'verification_failed',
  retriable: true,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'failed',
  costUsd: 0.25,
};
const prompt = { prompt_id: promptId, kind: 'text' } as const;
const which = { question: 'Which?', multiSelect: false, options: [] };
const action = { tool: 'Bash', input: { command: 'rm -r dist' }, digest: 'd' };

it('reads a thread to a person', () => {
  const facts: Fact[] = [
    { type: 'user_message', uuid: 'u', text: 'do it', actor: 'user:owner', dispatchId },
    { type: 'dispatch_started', dispatchId, attempt: 1 },
    { type: 'assistant_text', content: 'I \u001B[31mread\u001B[0m.\n\n' },
    {
      type: 'tool_start',
      id: 't1',
      tool: 'Bash',
      params: { command: 'npm\n test\u001B]0;x\u0007', timeout: 5 },
    },
    { type: 'tool_start', id: 't2', tool: 'Read', params: { file_path: 'a.ts' } },
    { type: 'tool_end', id: 't2', tool: 'Read', success: false, summary: 'No such\nfile', duration: 12 },
    { type: 'tool_end', id: 't1', tool: 'Bash', success: true, summary: 'ok', duration: 2100 },
    { type: 'tool_start', id: 't3', tool: 'Bash', params: { command: 'npm test' } },
    {
      type: 'tool_end',
      id: 't3',
      tool: 'Bash',
      success: true,
      summary: 'ok',
      duration: 2100,
      ranWith: { command: 'npm test -- --bail' },
    },
    { type: 'tool_end', id: 't9', tool: 'Unseen', success: true, summary: '', duration: 0 },
    { type: 'tool_start', id: 'q1', tool: 'AskUserQuestion', params: {} },
    {
      type: 'prompt_asked',
      promptId,
      item: {
        content: [{ type: 'text', text: '❓ Provide input:\nWhich?' }],
        metadata: {
          type: 'pending_prompt',
          prompt: { ...prompt, prompt_state: 'pending', questions: [which] },
        },
      },
    },
    {
      type: 'prompt_settled',
      promptId,
      item: {
        content: [{ type: 'text', text: '✓ Answered: blue' }],
        metadata: {
          type: 'pending_prompt_resolved',
          prompt: { ...prompt, prompt_state: 'answered', answers: [], reason: null, actor: 'user:phone' },
        },
      },
    },
    { type: 'tool_end', id: 'q1', tool: 'AskUserQuestion', success: true, summary: '', duration: 4 },
    {
      type: 'prompt_asked',
      promptId,
      item: {
        content: [
          { type: 'text', text: '❓ Provide input:\nMay the agent use Bash?\nReply approve or deny.' },
        ],
        metadata: {
          type: 'pending_prompt',
          prompt: { ...prompt, kind: 'approval', prompt_state: 'pending', questions: [which], action },
        },
      },
    },
    {
      type: 'prompt_settled',
      promptId,
      item: {
        content: [{ type: 'text', text: '✗ Cancelled: turn_cancelled' }],
        metadata: {
          type: 'pending_prompt_resolved',
          prompt: { ...prompt, prompt_state: 'cancelled', answers: [], reason: 'turn_cancelled' },
        },
      },
    },
    { type: 'tool_start', id: 'q2', tool: 'AskUserQuestion', params: {} },
    { type: 'tool_end', id: 'q2', tool: 'AskUserQuestion', success: false, summary: 'Bad', duration: 4 },
    { type: 'permission_mode_changed', mode: 'bypassPermissions', source: 'command' },
    { type: 'verified', dispatchId, command: 'npm test', passed: false, output: 'one\ntwo\n' },
    { type: 'attempt_ended', dispatchId, attempt: 1, outcome: failed, retryAt: '2026-01-01T00:00:02.000Z' },
    { type: 'dispatch_started', dispatchId, attempt: 2 },
    { type: 'run_ended', run, exit: { exitCode: null, signal: 'SIGKILL', oom: false } },
    { type: 'run_ended', run, exit: { exitCode: null, signal: 'SIGTERM', oom: false }, reason: 'idle' },
    { type: 'warning', message: 'careful' },
    {
      type: 'dispatch_ended',
      dispatchId,
      outcome: { ...failed, reason: 'timeout', execution: { kind: 'timedOut' }, verification: 'not_run' },
    },
    {
      type: 'status_evidence',
      fact: 'exited',
      source: 's',
      confidence: 'strong',
      at: '2026-01-01T00:00:00.000Z',
    },
  ];
  const transcript = new Transcript({
    asker: { runtime: 'claude' },
    colours: palette({ isColoured: false }),
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  });

  expect(facts.flatMap((fact) => transcript.add(fact)).map(({ from, text }) => `${from}: ${text}`)).toEqual([
    'host: › do it owner',
    'agent: I read.\n\n',
    'host: ✗ Read a.ts 0.0 s No such file',
    'host: ✓ Run npm test 2.1 s',
    'host: ✓ Run npm test -- --bail (proposed: npm test) 2.1 s',
    'host: ✓ Unseen 0.0 s',
    'host: Claude asks: Which?',
    'host: ✓ Answered: blue · by phone',
    'host: Claude asks to run: rm -r dist',
    'host: ✗ Cancelled: the turn was interrupted',
    'host: ✗ AskUserQuestion 0.0 s Bad',
    'host: - The agent now does everything (bypassPermissions)',
    'host: ✗ Verification failed: npm test',
    'host:   one',
    'host:   two',
    'host: Attempt 1: ✗ Failed · verification failed · $0.25 · next attempt in 2.0 s',
    'host: Attempt 2',
    "host: ! The agent's process ended by SIGKILL.",
    'host: ! careful',
    'host: ✗ Failed · the time limit was reached · $0.25',
  ]);
});
