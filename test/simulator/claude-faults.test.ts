// @module-tag full
import { expect, it } from 'vitest';
import { ClaudeSession } from '../harness/claude-session.js';
import { openStage } from '../harness/stage.js';

interface Expected {
  isError: boolean;
  text: string;
  /** How often Claude Code said that it retries. */
  retries: number;
  /** What the simulator answered, request by request. */
  statuses: number[];
}

const noRetries = { CLAUDE_CODE_MAX_RETRIES: '0' };

it.each<[prompt: string, env: Record<string, string>, expected: Expected]>([
  ['[[error 529 times=2]] [[text back]]', {}, recovered({ retries: 2, statuses: [529, 529, 200] })],
  ['[[error 429 retry-after=1 times=1]] [[text back]]', {}, recovered({ retries: 1, statuses: [429, 200] })],
  ['[[error 500 times=1]] [[text back]]', {}, recovered({ retries: 1, statuses: [500, 200] })],
  ['[[cut 3 times=1]] [[text back]]', {}, recovered({ retries: 1, statuses: [200, 200] })],
  // Claude Code asks again without streaming and does not call that a retry.
  ['[[malformed 3 times=1]] [[text back]]', {}, recovered({ retries: 0, statuses: [200, 200] })],
  ['[[error 401]]', noRetries, failed('authenticate', [401])],
  ['[[error 429 message="out of quota"]]', noRetries, failed('out of quota', [429])],
  ['[[error 529]]', noRetries, failed('529', [529])],
  ['[[error 500]]', noRetries, failed('500', [500])],
  ['[[malformed 3]]', noRetries, failed('JSON', [200, 200])],
  // A 400 is tried six times in silence.
  ['[[error 400]]', {}, failed('400', Array<number>(6).fill(400))],
  ['[[tool Bash {"command":]]', {}, failed('cannot carry out a directive', Array<number>(6).fill(400))],
])('%s', async (prompt, env, expected) => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage, { env });

  const result = await claude.turn(prompt);

  expect({
    isError: result.is_error,
    text: result.subtype === 'success' ? result.result : result.subtype,
    retries: claude.messages.filter(({ type, ...rest }) => type === 'system' && isRetry(rest)).length,
    statuses: stage.simulator.requests.map(({ answer }) => answer?.status),
  }).toEqual(expected);
});

it.each([
  ['[[deltas 5000 xxxx]]', 'xxxx'.repeat(5000), 5005],
  ['[[huge 2mb]]', 'x'.repeat(2 * 1024 ** 2), 6],
  ['[[slow 5]] [[text one letter after the other]]', 'one letter after the other', 7],
])('%s', async (prompt, text, events) => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage, { includePartialMessages: true });

  const result = await claude.turn(prompt);

  expect(result.subtype === 'success' && result.result === text).toBe(true);
  expect(claude.messages.filter(({ type }) => type === 'stream_event').length).toBe(events);
  expect(stage.simulator.requests.map(({ answer }) => answer)).toEqual([{ status: 200, events }]);
});

it('hangs until Claude Code is interrupted', async () => {
  await using stage = await openStage('claude');
  await using claude = new ClaudeSession(stage);

  claude.send('[[hang]]');
  const result = claude.result();
  const request = await stage.simulator.waitFor(({ decision }) => decision !== undefined);
  await claude.query.interrupt();

  expect((await result).subtype).toBe('error_during_execution');
  await stage.simulator.waitFor(({ seq, closedEarly }) => seq === request.seq && closedEarly);
  expect(request.answer).toBe(undefined);
  expect(await claude.turn('hello')).toMatchObject({ result: 'Simulated reply to: hello' });
});

function recovered({ retries, statuses }: Pick<Expected, 'retries' | 'statuses'>): Expected {
  return { isError: false, text: 'back', retries, statuses };
}

function failed(text: string, statuses: number[]): Expected {
  return { isError: true, text: expect.stringContaining(text), retries: 0, statuses };
}

function isRetry(message: object): boolean {
  return 'subtype' in message && message.subtype === 'api_retry';
}
