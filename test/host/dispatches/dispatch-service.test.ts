import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../src/domain/thread/item-text.js';
import { Dispatch } from '../../../src/protocol/dispatch.js';
import { openHostStage, owner, refusal } from '../host-stage.js';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const money = expect.closeTo(0.06, 1);

const succeeded = {
  result: 'succeeded',
  exitCode: 0,
  retriable: false,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'not_run',
};

describe('a dispatch', () => {
  test('runs to success, and the thread tells all of it', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const submitted = await at.work('[[text Hello.]]', {
      workspace: { path },
      title: 'Say hello',
      priority: 3,
      labels: { team: 'green' },
    });
    expect(submitted).toEqual({
      id: expect.stringMatching(/^dsp_/),
      threadId: expect.stringMatching(/^thr_/),
      text: '[[text Hello.]]',
      actor: owner,
      title: 'Say hello',
      state: 'queued',
      priority: 3,
      attempts: [],
      labels: { team: 'green' },
      createdAt: instant,
    });

    const ended = await at.ended(submitted);
    const [attempt] = ended.attempts;
    const [runId] = attempt?.runIds ?? [];
    const outcome = { ...succeeded, summary: 'Hello.', costUsd: money };
    expect(ended).toEqual({
      ...submitted,
      state: 'ended',
      attempts: [{ runIds: [expect.stringMatching(/^run_/)], startedAt: instant, endedAt: instant, outcome }],
      outcome,
      endedAt: instant,
    });
    expect(Dispatch.parse(ended)).toEqual(ended);

    const { threadId, id } = submitted;
    const said = { seq: expect.any(Number), timestamp: instant };
    const events = await at.events(threadId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => !('runId' in event))).toEqual([
      { ...said, type: 'dispatch_started', dispatchId: id, attempt: 1 },
      { ...said, type: 'run_started', run: runId, resumes: false },
      {
        ...said,
        type: 'user_message',
        uuid: expect.any(String),
        text: '[[text Hello.]]',
        actor: owner,
        dispatchId: id,
      },
      { ...said, type: 'dispatch_ended', dispatchId: id, outcome },
    ]);

    const { items } = await at.host.threads.items(threadId, {});
    const item = { ...said, id: expect.stringMatching(/^itm_\d+$/) };
    expect(items).toEqual([
      { ...item, type: 'run', runId, what: 'started', content: contentOf('The agent was started.') },
      { ...item, type: 'user_text', content: contentOf('[[text Hello.]]'), actor: owner, dispatchId: id },
      { ...item, type: 'assistant_text', content: contentOf('Hello.') },
      { ...item, type: 'outcome', dispatchId: id, outcome, isLast: true },
    ]);

    const result = events.find(({ type }) => type === 'result') as unknown as {
      usage: { inputTokens: number; outputTokens: number };
      cost: number;
    };
    const usage = {
      inputTokens: result.usage.inputTokens,
      outputTokens: result.usage.outputTokens,
      costUsd: result.cost,
    };
    expect(ended.outcome?.costUsd).toBe(result.cost);
    const thread = await at.status(threadId, 'idle').then(async () => await at.thread(threadId));
    expect(thread).toEqual({
      id: threadId,
      title: 'Say hello',
      runtime: 'claude',
      workspace: { path },
      status: {
        state: 'idle',
        why: 'the agent says that it is idle',
        source: 'claude.session_state',
        confidence: 'strong',
      },
      lastSeq: expect.any(Number),
      usage,
      lastDispatch: { id, state: 'ended', result: 'succeeded', said: 'Hello.' },
      createdAt: instant,
    });
    const resources = {
      aliveSeconds: expect.any(Number),
      cpuSeconds: expect.any(Number),
      meanMemoryBytes: expect.any(Number),
      peakMemoryBytes: expect.any(Number),
    };
    expect(await at.host.usage('thread')).toEqual({ rows: [{ key: threadId, usage, resources }] });
  });

  test('that follows in its thread goes to the idle agent, in order, as one conversation', async () => {
    const at = await openHostStage();
    const one = await at.done('[[text One.]]');
    const thread = one.threadId;
    const later = await Promise.all(
      ['Two', 'Three', 'Four'].map(async (word) => await at.work(`[[text ${word}.]]`, { thread })),
    );
    const ended = await Promise.all(later.map(async (dispatch) => await at.ended(dispatch)));

    expect(ended.map(({ outcome }) => outcome?.summary)).toEqual(['Two.', 'Three.', 'Four.']);
    expect(ended.flatMap(({ attempts }) => attempts.flatMap(({ runIds }) => runIds))).toEqual(
      Array.from({ length: 3 }, () => one.attempts[0]?.runIds[0]),
    );
    expect((await at.events(thread, 'run_started')).length).toBe(1);
    expect(at.modelHeard()).toEqual(['[[text One.]]', '[[text Two.]]', '[[text Three.]]', '[[text Four.]]']);
    expect(
      (await at.events(thread, 'dispatch_started', 'dispatch_ended')).map((event) => event.dispatchId),
    ).toEqual([one, ...later].flatMap(({ id }) => [id, id]));
  });

  test('waits for a slot, and the more urgent one goes first', { tags: ['full'] }, async () => {
    const at = await openHostStage({ slots: 1 });
    const holder = await at.work('[[ask Go on? | Yes | No]] [[next]] [[hang]]');
    const prompt = await at.asked(holder.threadId);
    // Asking frees the slot; the answer does not wait for one.
    expect((await at.done('[[text Meanwhile.]]')).outcome?.result).toBe('succeeded');
    await at.host.prompts.answer(prompt.id, { text: 'Yes' }, owner);
    await at.reached(holder, 'running');

    const low = await at.work('[[text Low.]]', { priority: -1 });
    const middle = await at.work('[[text Middle.]]');
    const high = await at.work('[[text High.]]', { priority: 5 });
    const waiting = await at.host.dispatches.list({ state: 'queued' });
    expect(new Set(waiting.rows.map(({ id }) => id))).toEqual(new Set([low.id, middle.id, high.id]));

    await at.host.dispatches.cancel(holder.id, owner);
    const ended = await Promise.all([low, middle, high].map(async (each) => await at.ended(each)));
    const begun = ended.toSorted((a, b) =>
      (a.attempts[0]?.startedAt ?? '').localeCompare(b.attempts[0]?.startedAt ?? ''),
    );
    expect(begun.map(({ outcome }) => outcome?.summary)).toEqual(['High.', 'Middle.', 'Low.']);
    // One slot: each began after the one before it had ended.
    for (const [index, later] of begun.slice(1).entries()) {
      expect((later.attempts[0]?.startedAt ?? '') >= (begun[index]?.endedAt ?? '~')).toBe(true);
    }
  });

  test('does not begin before its time, and holds up nobody else', { tags: ['full'] }, async () => {
    const at = await openHostStage({ slots: 1 });
    const notBefore = new Date(Date.now() + 3000).toISOString();
    const late = await at.work('[[text Late.]]', { notBefore });
    const soon = await at.done('[[text Soon.]]');
    expect(late).toMatchObject({ state: 'queued', notBefore });
    const ended = await at.ended(late);
    expect(ended.outcome?.summary).toBe('Late.');
    expect((ended.attempts[0]?.startedAt ?? '') >= notBefore).toBe(true);
    expect((soon.attempts[0]?.startedAt ?? '~') < notBefore).toBe(true);
  });

  test('that is not answered where nobody is to be asked is blocked', async () => {
    const at = await openHostStage();
    const ended = await at.done('[[ask Which? | A | B]] [[next]] [[text Never said.]]', { noInput: true });
    const outcome = {
      result: 'blocked',
      exitCode: 2,
      reason: 'needs_input',
      retriable: false,
      execution: { kind: 'completed' },
      claim: 'needs_input',
      verification: 'not_run',
    };
    expect(ended.outcome).toEqual(outcome);
    expect(ended.attempts).toMatchObject([{ outcome }]);
    const { rows } = await at.host.prompts.list({ threadId: ended.threadId });
    expect(rows).toMatchObject([{ state: 'cancelled', active: false, reason: 'dispatch_cancelled' }]);
    expect(await at.status(ended.threadId, 'idle')).toMatchObject({ confidence: 'strong' });
    // The agent hears that nobody answers, and is interrupted before it goes on.
    expect(at.stage.simulator.modelRequests().length).toBeLessThanOrEqual(2);
  });

  test('that needs a permission where nobody is to be asked is blocked too', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const ended = await at.done('[[tool Bash {"command":"touch x"}]] [[next]] [[text Done.]]', {
      noInput: true,
    });
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2, claim: 'needs_input' });
  });
});

describe('an idempotency key', () => {
  test('names one piece of work, however often and how many at once ask for it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const request = { text: '[[text Once.]]', workspace: { path: at.folder() } };
    const by = { actor: owner, idempotencyKey: 'key-1' } as const;
    const submissions = await Promise.all(
      Array.from({ length: 8 }, async () => await at.host.dispatches.submit(request, by)),
    );
    expect(new Set(submissions.map(({ dispatch }) => dispatch.id)).size).toBe(1);
    expect(submissions.filter(({ isNew }) => isNew).length).toBe(1);

    const [first] = submissions;
    const ended = first && (await at.ended(first.dispatch));
    expect(await at.host.dispatches.submit(request, by)).toEqual({ dispatch: ended, isNew: false });
    expect((await at.host.threads.list({})).rows.length).toBe(1);

    const other = { ...request, text: '[[text Other.]]' };
    expect(await refusal(at.host.dispatches.submit(other, by))).toEqual({
      code: 'conflict',
      message: expect.stringContaining(first?.dispatch.id ?? '?'),
    });
    expect((await at.host.dispatches.list({})).rows.length).toBe(1);
  });
});
