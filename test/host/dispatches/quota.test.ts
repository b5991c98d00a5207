// Usage limits as the real programs tell them, with the scripted model behind them.
import { expect, onTestFinished, test } from 'vitest';
import { openStage } from '../../harness/stage.js';
import { subAgent } from '../../runner/prompting.js';
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

test('Claude Code at its limit waits until it is over, over a restart, and goes on in the same session; other runtimes go on', {
  tags: ['full'],
}, async () => {
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
  const sessions = await at.events(ended.threadId, 'session_id_update');
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect((await at.ended(held)).outcome).toMatchObject({ result: 'succeeded' });
});

test('an account at its limit waits, and another account of the same runtime works meanwhile', async () => {
  const at = await openHostStage({ retries: 0 });
  const posture = { env: { ANTHROPIC_API_KEY: 'sk-of-a-friend' } };
  const long = '[[error 429 retry-after=3600 times=1]]';
  const limited = await at.dispatch(await at.work(long, { posture }), ({ waitsFor }) => waitsFor === 'quota');
  expect((await at.done('[[text Mine goes on.]]')).outcome?.result).toBe('succeeded');
  const held = await at.dispatch(
    await at.work('[[text Later.]]', { posture }),
    ({ waitsFor }) => waitsFor === 'quota',
  );
  expect(held).toMatchObject({ attempts: [], notBefore: limited.notBefore });
  for (const { id } of [limited, held]) await at.host.dispatches.cancel(id, 'user:owner');
});

test('with an API key nobody says when: it is tried again later, and that is not counted', {
  tags: ['full'],
}, async () => {
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

test('Codex at its limit waits until it is over, and goes on in the same session', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({ retries: 0 }, 'codex');
  const limited = await at.dispatch(await at.work(limit), ({ waitsFor }) => waitsFor === 'quota');
  expect(limited.attempts[0]?.outcome).toMatchObject({ reason: 'rate_limit', retryAt: expect.any(String) });
  const ended = await at.ended(limited);
  expect(ended.outcome).toMatchObject({ result: 'succeeded' });
  expect(ended.attempts).toHaveLength(2);
});

test("a limit that a sub-agent met makes its parent's work wait, whatever the parent says", async () => {
  const at = await openSubscription();
  const inner = '<<error 429 resets-in=3600 type=usage_limit_reached times=1>>';
  const work = await at.work(`${subAgent(inner)}[[next]][[text All is done.]]`);
  const limited = await at.dispatch(work, ({ waitsFor }) => waitsFor === 'quota');
  expect(limited.attempts[0]?.outcome).toMatchObject({ reason: 'rate_limit', retryAt: expect.any(String) });
  expect(Date.parse(limited.notBefore ?? '') - Date.now()).toBeGreaterThan(3_000_000);
});

test('Codex that would wait in silence for an hour is not waited for', { tags: ['full'] }, async () => {
  const at = await openHostStage({ retries: 0 }, 'codex');
  const work = await at.work('[[error 429 retry-after=3600 times=1]]');
  const limited = await at.dispatch(work, ({ waitsFor }) => waitsFor === 'quota');
  expect(limited.attempts[0]?.outcome).toMatchObject({ reason: 'rate_limit', exitCode: 75 });
  expect(await at.events(limited.threadId, 'interrupted')).toEqual([]);
});

test('OpenCode says when it would try again, and its work waits until then', { tags: ['full'] }, async () => {
  const at = await openHostStage({ retries: 0 }, 'opencode');
  const work = await at.work('[[error 429 retry-after=3600 times=1]]');
  const limited = await at.dispatch(work, ({ waitsFor }) => waitsFor === 'quota');
  expect(limited.attempts[0]?.outcome).toMatchObject({ reason: 'rate_limit', retryAt: expect.any(String) });
  expect(Date.parse(limited.notBefore ?? '') - Date.now()).toBeGreaterThan(3_000_000);
});

test('a model that does not answer is shown as that, and not as work', { tags: ['full'] }, async () => {
  const at = await openHostStage();
  const work = await at.work('[[error 529 times=3]][[text Back.]]');
  const silent = await at.thread(
    work.threadId,
    ({ status }) => status.state === 'busy' && status.modelRetry?.attempt === 2,
  );
  expect(silent).toMatchObject({
    status: { modelRetry: { attempt: 2, of: 10 }, why: 'the model does not answer, retry 2 of 10' },
    activity: 'the model does not answer, retry 2 of 10',
  });
  expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
  expect((await at.thread(work.threadId)).status).not.toHaveProperty('modelRetry');
});
