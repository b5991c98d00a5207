import { describe, expect, test } from 'vitest';
import { openHostStage, owner } from '../host-stage.js';

const cancelled = {
  result: 'cancelled',
  exitCode: 130,
  reason: `cancelled by ${owner}`,
  retriable: false,
  execution: { kind: 'cancelled' },
  claim: 'none',
  verification: 'not_run',
};

describe('a cancelled dispatch', () => {
  test('that was queued never begins', async () => {
    const at = await openHostStage();
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    const dispatch = await at.work('[[text Never.]]', { notBefore });
    const ended = await at.host.dispatches.cancel(dispatch.id, owner);
    expect(ended).toMatchObject({ state: 'ended', attempts: [], outcome: cancelled });
    expect((await at.events(dispatch.threadId)).map(({ type }) => type)).toEqual(['dispatch_ended']);
    expect(at.stage.simulator.requests).toEqual([]);
  });

  test('that was queued behind another leaves the other alone', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const working = await at.work('[[ask Which? | A | B]] [[next]] [[text Done.]]');
    const prompt = await at.asked(working.threadId);
    const queued = await at.work('[[text Never.]]', { thread: working.threadId });
    await at.host.dispatches.cancel(queued.id, owner);
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect(await at.host.dispatches.get(working.id)).toMatchObject({ state: 'waiting' });
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    expect((await at.ended(working)).outcome).toMatchObject({ result: 'succeeded' });
    expect(at.modelHeard()).toEqual([working.text]);
  });

  test('that was running stops its turn; the agent stays and takes the next', async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[hang]]');
    await at.modelAsked('[[hang]]');
    const ended = await at.host.dispatches.cancel(dispatch.id, owner);
    expect(ended).toMatchObject({ state: 'ended', outcome: cancelled, attempts: [{ outcome: cancelled }] });
    await at.stage.simulator.waitFor(({ closedEarly }) => closedEarly);
    expect(await at.status(dispatch.threadId, 'idle')).toMatchObject({ confidence: 'strong' });

    // Once ended, always ended: a second time changes nothing.
    expect(await at.host.dispatches.cancel(dispatch.id, 'user:phone')).toEqual(ended);
    const next = await at.done('[[text Here.]]', { thread: dispatch.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Here.' });
    expect(next.attempts[0]?.runIds).toEqual(ended.attempts[0]?.runIds);
    expect((await at.events(dispatch.threadId, 'dispatch_ended')).length).toBe(2);
    expect(await at.events(dispatch.threadId, 'run_ended')).toEqual([]);
  });

  test('that ran a tool ends the tool too', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[tool Bash {"command":"tail -f /dev/null"}]]', {
      permissions: 'autonomous',
    });
    await at.runs('tail -f /dev/null');
    await at.host.dispatches.cancel(dispatch.id, owner);
    await at.runs('tail -f /dev/null', { isThere: false });
    expect(await at.status(dispatch.threadId, 'idle')).toMatchObject({ state: 'idle' });
  });

  test('that waited for a person has its prompt cancelled', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Never.]]');
    const prompt = await at.asked(dispatch.threadId);
    await at.reached(dispatch, 'waiting');
    const ended = await at.host.dispatches.cancel(dispatch.id, owner);
    expect(ended).toMatchObject({ state: 'ended', outcome: cancelled });
    expect(await at.prompt(prompt)).toMatchObject({
      state: 'cancelled',
      active: false,
      reason: 'dispatch_cancelled',
    });
    expect(await at.events(dispatch.threadId, 'prompt_settled')).toMatchObject([
      {
        promptId: prompt.id,
        item: {
          content: [{ type: 'text', text: '✗ Cancelled: dispatch_cancelled' }],
          metadata: {
            type: 'pending_prompt_resolved',
            prompt: {
              prompt_id: prompt.id,
              kind: 'ask_user_question',
              prompt_state: 'cancelled',
              answers: [],
              reason: 'dispatch_cancelled',
            },
          },
        },
      },
    ]);
    expect(await at.status(dispatch.threadId, 'idle')).toMatchObject({ state: 'idle' });
  });

  test('takes along an answer that its agent never got; the next work asks for itself', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.01 });
    const acts = '[[tool Bash {"command":"echo did >> log.txt"}]] [[next]] [[text Done.]]';
    const dispatch = await at.work(acts);
    const prompt = await at.asked(dispatch.threadId);
    const { rows } = await at.store.query('runs', { threadId: dispatch.threadId });
    const pid = rows[0]?.process?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await at.host.prompts.answer(prompt.id, { decision: { approved: true } }, owner);
    const cancelling = at.host.dispatches.cancel(dispatch.id, owner);
    await at.reached(dispatch, 'ended');
    process.kill(pid, 'SIGKILL');
    await cancelling;
    expect(await at.prompt(prompt, ({ state }) => state !== 'pending')).toMatchObject({
      state: 'failed',
      reason: 'The work ended before the agent got this answer.',
    });
    const next = await at.work(acts, { thread: dispatch.threadId });
    const again = await at.asked(dispatch.threadId);
    // Nothing that is left of the first work keeps the agent from being parked.
    await at.thread(next.threadId, ({ status }) => status.state === 'question' && !status.held);
    await at.host.prompts.answer(again.id, { decision: { approved: false } }, owner);
    expect((await at.ended(next)).outcome).toMatchObject({ result: 'blocked' });
  });

  test('between two tries gets no further one', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[text Did it.]]', { verify: 'false' });
    await at.dispatch(dispatch, ({ state, attempts }) => state === 'queued' && attempts.length === 1);
    const ended = await at.host.dispatches.cancel(dispatch.id, owner);
    expect(ended).toMatchObject({
      state: 'ended',
      outcome: cancelled,
      attempts: [{ outcome: { reason: 'verification_failed' } }],
    });
    // Whatever was under way is over once later work has ended.
    await at.done('[[text Next.]]', { thread: dispatch.threadId });
    expect(await at.host.dispatches.get(dispatch.id)).toEqual(ended);
  });

  test('while its check runs ends the check', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[text Did it.]]', { verify: 'sleep 601' });
    await at.runs('sleep 601');
    const ended = await at.host.dispatches.cancel(dispatch.id, owner);
    expect(ended.outcome).toEqual(cancelled);
    await at.runs('sleep 601', { isThere: false });
    expect(await at.events(dispatch.threadId, 'verified')).toEqual([]);
  });

  test('has one outcome, whoever is faster, its turn or the person', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]');
    const results = new Set<string | undefined>();
    for (let round = 0; round < 24; round += 1) {
      const dispatch = await at.work(`[[text Round ${round}.]]`, { thread });
      // Later from round to round, so that some cancels come too late.
      const moment =
        ['user_message', 'command_accepted', 'assistant_text', 'agent_stop', 'result'][round % 5] ?? '';
      const { seq } = await at.firstEvent(
        thread,
        'dispatch_started',
        (event) => event.dispatchId === dispatch.id,
      );
      await at.firstEvent(thread, moment, (event) => event.seq > seq);
      const [ended, asked] = await Promise.all([
        at.ended(dispatch),
        at.host.dispatches.cancel(dispatch.id, owner),
      ]);
      expect(asked).toEqual(ended);
      results.add(ended.outcome?.result);
      const said = await at.events(thread, 'dispatch_ended');
      expect(said.filter((event) => event.dispatchId === dispatch.id)).toMatchObject([
        { outcome: ended.outcome },
      ]);
      expect(ended.attempts).toMatchObject([{ outcome: ended.outcome }]);
    }
    expect([...results].every((result) => result === 'cancelled' || result === 'succeeded')).toBe(true);
    const last = await at.done('[[text Last.]]', { thread });
    expect(last.outcome).toMatchObject({ result: 'succeeded', summary: 'Last.' });
  });
});
