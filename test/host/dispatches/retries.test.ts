import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHostStage, owner, refusal } from '../host-stage.js';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Fails so many times and then passes; it keeps count in a file. */
const passesAfter = (failures: number) =>
  `n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; echo "check number $n"; test $n -ge ${failures}`;

const checkFailed = {
  result: 'failed',
  exitCode: 1,
  reason: 'verification_failed',
  retriable: true,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'failed',
};

describe('verification', () => {
  test('that fails is told to the agent, which tries again in the same session', async () => {
    const at = await openHostStage();
    const verify = passesAfter(1);
    const ended = await at.done('[[text I did it.]]', { verify });

    expect(ended.attempts).toMatchObject([
      { outcome: { ...checkFailed, summary: 'I did it.', verificationOutput: 'check number 0\n' } },
      { outcome: { result: 'succeeded', exitCode: 0, claim: 'success', verification: 'passed' } },
    ]);
    const { outcome } = ended;
    expect(outcome).toEqual({
      result: 'succeeded',
      exitCode: 0,
      retriable: false,
      execution: { kind: 'completed' },
      claim: 'success',
      verification: 'passed',
      summary: expect.stringContaining('Simulated reply'),
      costUsd: expect.any(Number),
    });
    const costs = ended.attempts.map((attempt) => attempt.outcome?.costUsd ?? 0);
    expect(outcome?.costUsd).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost, 0),
      10,
    );

    // One agent had both tries, and heard what the check printed.
    expect(ended.attempts[0]?.runIds).toEqual(ended.attempts[1]?.runIds);
    const heard = at.modelHeard();
    expect(heard.length).toBe(2);
    expect(heard[1]).toContain('check number 0');
    expect(heard[1]).toContain(verify);

    const { threadId, id: dispatchId } = ended;
    // What the check found is nobody's words but the check's.
    expect((await at.events(threadId, 'user_message')).map(({ actor }) => actor)).toEqual([
      owner,
      'policy:verification',
    ]);
    const said = { seq: expect.any(Number), timestamp: instant };
    expect(await at.events(threadId, 'verified', 'attempt_ended', 'dispatch_started')).toEqual([
      { ...said, type: 'dispatch_started', dispatchId, attempt: 1 },
      { ...said, type: 'verified', dispatchId, command: verify, passed: false, output: 'check number 0\n' },
      {
        ...said,
        type: 'attempt_ended',
        dispatchId,
        attempt: 1,
        outcome: ended.attempts[0]?.outcome,
        retryAt: instant,
      },
      { ...said, type: 'dispatch_started', dispatchId, attempt: 2 },
      { ...said, type: 'verified', dispatchId, command: verify, passed: true, output: 'check number 1\n' },
    ]);
  });

  test('that never passes ends the dispatch as failed, with every try on record', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const ended = await at.done('[[text I did it.]]', { verify: passesAfter(99), retries: 1 });
    expect(ended.attempts).toMatchObject([
      { outcome: { ...checkFailed, verificationOutput: 'check number 0\n' } },
      { outcome: { ...checkFailed, verificationOutput: 'check number 1\n' } },
    ]);
    expect(ended.outcome).toMatchObject({ ...checkFailed, verificationOutput: 'check number 1\n' });
    expect(ended.state).toBe('ended');
    expect((await at.events(ended.threadId, 'dispatch_ended')).length).toBe(1);
  });

  test('with no more tries allowed is decisive at once', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const ended = await at.done('[[text I did it.]]', {
      workspace: { path },
      verify: passesAfter(1),
      retries: 0,
    });
    expect(ended.attempts.length).toBe(1);
    expect(ended.outcome).toMatchObject(checkFailed);
    expect(readFileSync(join(path, 'count'), 'utf8')).toBe('1\n');
  });

  test('waits a second before the next try, and says which try it is', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[text I did it.]]', { verify: passesAfter(1) });
    const between = await at.dispatch(
      dispatch,
      ({ state, attempts }) => state === 'queued' && attempts.length === 1,
    );
    expect(between).toMatchObject({
      why: 'attempt 2 of 3, after: verification_failed',
      notBefore: instant,
      attempts: [{ endedAt: instant }],
    });
    const ended = await at.ended(dispatch);
    const [first, second] = ended.attempts;
    expect((second?.startedAt ?? '') >= (between.notBefore ?? '~')).toBe(true);
    const waited = Date.parse(between.notBefore ?? '') - Date.parse(first?.endedAt ?? '');
    expect(waited).toBeGreaterThanOrEqual(750);
    expect(waited).toBeLessThanOrEqual(1250);
    // What was said about the wait is over with it.
    expect(ended).not.toHaveProperty('why');
  });

  test('is not asked where the agent itself failed', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const ended = await at.done('[[error 400 message="no"]]', {
      workspace: { path },
      verify: 'touch checked',
      retries: 0,
    });
    expect(ended.outcome).toMatchObject({
      result: 'failed',
      exitCode: 1,
      execution: { kind: 'error' },
      claim: 'failure',
      verification: 'not_run',
    });
    expect(await at.events(ended.threadId, 'verified')).toEqual([]);
  });
});

describe('a crash', () => {
  for (const { victim, tags } of [
    { victim: 'agent', tags: [] },
    { victim: 'runner', tags: ['full'] },
  ] as const) {
    test(`of the ${victim} in a turn is retried in a new run that goes on with the session`, {
      tags: [...tags],
    }, async () => {
      const at = await openHostStage();
      const dispatch = await at.work('[[text Begun.]] [[tool Bash {"command":"true"}]] [[next]] [[hang]]', {
        permissions: 'autonomous',
      });
      await at.stage.simulator.waitFor(
        ({ decision }) => decision !== undefined && at.toolResults().length === 1,
      );
      at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'Recovered.' }] }] });
      await at.kill(victim);
      const ended = await at.ended(dispatch);

      const crashed =
        victim === 'agent'
          ? { kind: 'crashed', exitCode: null, signal: 'SIGKILL' }
          : { kind: 'crashed', exitCode: null };
      expect(ended.attempts.map(({ outcome }) => [outcome?.result, outcome?.execution])).toEqual([
        ['failed', crashed],
        ['succeeded', { kind: 'completed' }],
      ]);
      expect(ended.attempts[0]?.outcome).toMatchObject({
        exitCode: 1,
        reason: 'crashed',
        retriable: true,
        claim: 'none',
      });
      expect(ended.outcome).toMatchObject({ result: 'succeeded', exitCode: 0, summary: 'Recovered.' });

      const runs = ended.attempts.map(({ runIds }) => runIds);
      expect(runs.map(({ length }) => length)).toEqual([1, 1]);
      expect(runs[0]).not.toEqual(runs[1]);
      expect((await at.events(ended.threadId, 'run_started')).map(({ resumes }) => resumes)).toEqual([
        false,
        true,
      ]);
      expect(await at.events(ended.threadId, 'run_ended')).toMatchObject([
        {
          run: runs[0]?.[0],
          exit: { exitCode: null, signal: victim === 'agent' ? 'SIGKILL' : null, oom: false },
        },
      ]);
      // The model sees the first try in the conversation of the second.
      const heard = at.modelHeard('ended early');
      expect(heard[0]).toBe(dispatch.text);
      expect(heard.at(-1)).toContain('crashed');
    });
  }

  test('without tries left is the outcome, and the status says how the process died', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[hang]]', { retries: 0 });
    await at.modelAsked('[[hang]]');
    await at.kill('agent');
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toEqual({
      result: 'failed',
      exitCode: 1,
      reason: 'crashed',
      retriable: true,
      execution: { kind: 'crashed', exitCode: null, signal: 'SIGKILL' },
      claim: 'none',
      verification: 'not_run',
      summary: expect.stringContaining('SIGKILL'),
    });
    expect(await at.status(ended.threadId, 'crashed')).toEqual({
      state: 'crashed',
      exitCode: null,
      signal: 'SIGKILL',
      why: expect.stringContaining('SIGKILL'),
      source: 'process',
      confidence: 'authoritative',
    });
    // The thread is not lost with its agent.
    const next = await at.done('[[text Back.]]', { thread: ended.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Back.' });
  });

  test('of the runner leaves nothing of it behind, not even what its tools had started', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[tool Bash {"command":"tail -f /dev/null"}]]', {
      permissions: 'autonomous',
      retries: 0,
    });
    await at.runs('tail -f /dev/null');
    await at.kill('runner');
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ exitCode: 1, execution: { kind: 'crashed', exitCode: null } });
    expect(await at.status(ended.threadId, 'crashed')).toEqual({
      state: 'crashed',
      exitCode: null,
      why: 'ended, cause unknown',
      source: 'process',
      confidence: 'authoritative',
    });
  });

  test('of a runner whose agent rests, as when the machine is switched off, leaves the work done', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text Done.]]');
    await at.kill('runner');
    expect(await at.status(threadId, 'stopped')).toMatchObject({
      why: 'it had nothing to do when its process ended, cause unknown',
    });
    expect((await at.done('[[text Back.]]', { thread: threadId })).outcome?.summary).toBe('Back.');
  });
});

describe('a time limit', () => {
  test('ends a hanging try, stops its turn, and fails the dispatch when no try is left', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    // An agent that is there already: how long a start takes is not what is limited here.
    const { threadId } = await at.done('[[text Here.]]');
    const ended = await at.done('[[hang]]', { thread: threadId, timeoutSeconds: 2, retries: 0 });
    expect(ended.outcome).toEqual({
      result: 'failed',
      exitCode: 1,
      reason: 'timeout',
      retriable: true,
      execution: { kind: 'timedOut' },
      claim: 'none',
      verification: 'not_run',
    });
    expect(await at.status(ended.threadId, 'idle')).toMatchObject({ state: 'idle' });
    const next = await at.done('[[text Still here.]]', { thread: ended.threadId });
    expect(next.attempts[0]?.runIds).toEqual(ended.attempts[0]?.runIds);
  });

  test('that ends a try before the first word of its agent leaves the thread at rest', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const ended = await at.done('[[hang]]', { timeoutSeconds: 0.05, retries: 0 });
    expect(ended.outcome).toMatchObject({ result: 'failed', reason: 'timeout' });
    // Stopped, or idle where it had begun by then; never starting for ever.
    await at.thread(ended.threadId, ({ status }) => status.state === 'stopped' || status.state === 'idle');
    const next = await at.done('[[text Here.]]', { thread: ended.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Here.' });
  });

  test('counts for each try anew', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const ended = await at.done('[[hang]]', { timeoutSeconds: 1, retries: 1 });
    expect(ended.attempts.map(({ outcome }) => outcome?.execution.kind)).toEqual(['timedOut', 'timedOut']);
    expect(ended.outcome).toMatchObject({ exitCode: 1, reason: 'timeout' });
  });

  test('does not run while a person is waited for', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text Warm.]]');
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Thanks.]]', {
      thread: threadId,
      timeoutSeconds: 3,
      retries: 0,
    });
    const prompt = await at.asked(threadId);
    const patience = Date.parse(prompt.createdAt) + 6000;
    await at.dispatch(dispatch, ({ state }) => state === 'ended' || Date.now() > patience);
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
  });
});

describe('a retry by a person', () => {
  test('is new work that remembers what it repeats', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const verify = passesAfter(1);
    const failed = await at.done('[[text I did it.]]', {
      verify,
      retries: 0,
      title: 'Once more',
      labels: { a: 'b' },
    });
    const again = await at.host.dispatches.retry(failed.id, 'user:phone');
    expect(again).toEqual({
      id: expect.stringMatching(/^dsp_/),
      threadId: failed.threadId,
      text: failed.text,
      actor: 'user:phone',
      title: 'Once more',
      labels: { a: 'b' },
      state: 'queued',
      priority: 0,
      attempts: [],
      retryOf: failed.id,
      createdAt: instant,
    });
    expect((await at.ended(again)).outcome).toMatchObject({ result: 'succeeded', verification: 'passed' });
    expect((await at.host.dispatches.get(failed.id)).outcome).toEqual(failed.outcome);
  });

  test('is refused while the work has not ended', async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[hang]]');
    expect(await refusal(at.host.dispatches.retry(dispatch.id, owner))).toEqual({
      code: 'conflict',
      message: expect.stringContaining('not ended'),
    });
  });
});
