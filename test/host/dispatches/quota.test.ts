// Usage limits as the real programs tell them, with the scripted model behind them.
import { expect, onTestFinished, test } from 'vitest';
import { openStage } from '../../harness/stage.js';
import { HostStage, openHostStage } from '../host-stage.js';

const limit = '[[error 429 resets-in=12 type=usage_limit_reached times=1]]';

// What was said before the limit is sent again with what follows, so the limit stands behind a call of a tool.
const afterTool = `[[tool Read {"file_path":"missing.txt"}]][[next]]${limit}`;

/** Claude Code with a subscription; with an API key it says nothing about limits. */
async function openSubscription(): Promise<HostStage> {
  const stage = await openStage('claude');
  const { ANTHROPIC_API_KEY: _key, ...env } = stage.env;
  const signedIn = { ...stage, env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x' } };
  const at = new HostStage(signedIn, { slots: 4, retries: 0, idleTimeoutMinutes: 15, keepSpare: false });
  onTestFinished(async () => await at.close());
  await at.open();
  return at;
}

test('Claude Code at its limit waits until it is over, over a restart, and goes on in the same session; other runtimes go on', async () => {
  const at = await openSubscription();
  const limited = await at.dispatch(await at.work(afterTool), ({ waitsFor }) => waitsFor === 'quota');
  expect(limited).toMatchObject({ state: 'queued', why: 'the usage limit was reached' });
  const [first] = limited.attempts;
  expect(first?.outcome).toMatchObject({ reason: 'rate_limit', exitCode: 75, retryAt: expect.any(String) });
  expect(limited.notBefore && limited.notBefore >= (first?.outcome?.retryAt ?? 'z')).toBe(true);

  const held = await at.dispatch(await at.work('[[text Later.]]'), ({ waitsFor }) => waitsFor === 'quota');
  expect(held).toMatchObject({
    attempts: [],
    notBefore: limited.notBefore,
    why: 'the usage limit of claude was reached',
  });
  const other = await at.done('x', { runtime: 'exec', posture: { command: 'true' } });
  expect(other.outcome?.result).toBe('succeeded');
  expect(Date.parse(other.endedAt ?? '')).toBeLessThan(Date.parse(limited.notBefore ?? ''));
  await at.leave();
  await at.open();

  // Without a single retry allowed.
  const ended = await at.ended(limited);
  expect(ended.outcome).toMatchObject({ result: 'succeeded' });
  expect(ended.attempts).toHaveLength(2);
  expect(Date.parse(ended.attempts[1]?.startedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(limited.notBefore ?? ''),
  );
  expect((await at.events(ended.threadId, 'user_message')).map(({ text }) => text)).toEqual([
    afterTool,
    'A usage limit stopped you, and it is over. Continue where you stopped.',
  ]);
  const starts = await at.events(ended.threadId, 'run_started');
  expect(starts.slice(1).every(({ resumes }) => resumes === true)).toBe(true);
  expect((await at.ended(held)).outcome).toMatchObject({ result: 'succeeded' });
});

test('with an API key nobody says when: it is tried again later, and that is not counted', async () => {
  const at = await openHostStage({ retries: 0 });
  const limited = await at.dispatch(
    await at.work('[[error 429 retry-after=3600 times=1]]'),
    ({ waitsFor }) => waitsFor === 'quota',
  );
  expect(limited.attempts[0]?.outcome?.retryAt).toBeUndefined();
  const waitMs = Date.parse(limited.notBefore ?? '') - Date.parse(limited.attempts[0]?.endedAt ?? '');
  expect(waitMs).toBeGreaterThan(40_000);
  expect(waitMs).toBeLessThan(80_000);
  const cancelled = await at.host.dispatches.cancel(limited.id, 'user:owner');
  expect(cancelled).toMatchObject({ state: 'ended', outcome: { result: 'cancelled' } });
  expect(cancelled.waitsFor).toBeUndefined();
});

test('Codex at its limit waits until it is over, and goes on in the same session', async () => {
  const at = await openHostStage({ retries: 0 }, 'codex');
  const limited = await at.dispatch(await at.work(limit), ({ waitsFor }) => waitsFor === 'quota');
  expect(limited.attempts[0]?.outcome).toMatchObject({ reason: 'rate_limit', retryAt: expect.any(String) });
  const ended = await at.ended(limited);
  expect(ended.outcome).toMatchObject({ result: 'succeeded' });
  expect(ended.attempts).toHaveLength(2);
});
