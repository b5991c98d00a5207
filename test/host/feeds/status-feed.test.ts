import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { StatusReport } from '../../../src/protocol/status.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

async function timeline(at: HostStage, threadId: ThreadId): Promise<StatusReport[]> {
  const { rows } = await at.host.threads.statusLog(threadId, { limit: 200 });
  return rows.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ report }) => report);
}

describe('the status of a thread', () => {
  test('has a timeline that says why, from launch to stop', async () => {
    const at = await openHostStage();
    const heard: StatusReport[] = [];
    const bus = at.host.statuses.subscribe(({ status }) => heard.push(status));
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Done.]]');
    const { threadId } = dispatch;
    expect((await at.host.threads.get(threadId)).status).toEqual({
      state: 'stopped',
      why: 'not started yet',
      source: expect.any(String),
      confidence: 'authoritative',
    });
    const prompt = await at.asked(threadId);
    expect(await at.status(threadId, 'question')).toEqual({
      state: 'question',
      promptId: prompt.id,
      prompt: 'Which?',
      since: prompt.createdAt,
      held: true,
      why: 'the agent asks and waits for the answer',
      source: 'prompt',
      confidence: 'authoritative',
    });
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    await at.ended(dispatch);
    await at.status(threadId, 'idle');
    await at.host.threads.stop(threadId, owner);
    expect(await at.status(threadId, 'stopped')).toEqual({
      state: 'stopped',
      why: 'stopped by owner',
      source: 'host',
      confidence: 'authoritative',
    });

    const told = await timeline(at, threadId);
    expect(told).toEqual([
      {
        state: 'initializing',
        why: 'the agent was launched and has said nothing yet',
        source: 'host',
        confidence: 'authoritative',
      },
      {
        state: 'busy',
        since: instant,
        why: expect.any(String),
        source: expect.any(String),
        confidence: 'strong',
      },
      expect.objectContaining({ state: 'question', promptId: prompt.id, held: true }),
      {
        state: 'busy',
        since: instant,
        why: 'a tool is running',
        source: 'claude.tool.AskUserQuestion',
        confidence: 'strong',
      },
      {
        state: 'idle',
        why: expect.any(String),
        source: expect.stringMatching(/^claude\./),
        confidence: 'strong',
      },
      expect.objectContaining({ state: 'stopped' }),
    ]);
    bus[Symbol.dispose]();
    expect(heard).toEqual(told);
  });

  test('is never idle while a turn is open or a message waits', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text Warm.]]', { permissions: 'autonomous' });
    await at.status(threadId, 'idle');
    let open = 0;
    const wrong: string[] = [];
    const feed = at.host.feed.subscribe(threadId, { live: false }, (events) => {
      for (const { type } of events) {
        if (type === 'user_message') open += 1;
        if (type === 'turn_complete') open -= 1;
      }
    });
    const bus = at.host.statuses.subscribe(({ status }) => {
      if (status.state === 'idle' && open > 0) wrong.push(`idle with ${open} messages open: ${status.why}`);
      if (status.state === 'busy' && open === 0) wrong.push(`busy with nothing open: ${status.why}`);
    });
    for (let round = 0; round < 5; round += 1) {
      const dispatch = await at.work(
        `[[tool Read {"file_path":"/etc/hostname"}]] [[next]] [[text Round ${round}.]]`,
        {
          thread: threadId,
        },
      );
      await at.firstEvent(threadId, 'user_message', (event) => event.dispatchId === dispatch.id);
      await at.host.threads.post(
        threadId,
        { content: [{ type: 'text', text: '[[text And this.]]' }] },
        owner,
      );
      await at.ended(dispatch);
    }
    await at.status(threadId, 'idle');
    bus[Symbol.dispose]();
    feed[Symbol.dispose]();
    expect(wrong).toEqual([]);
  });

  test('is busy while a background task is open, and the dispatch waits for it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(
      '[[tool Bash {"command":"until test -e go; do sleep 0.1; done","run_in_background":true}]] [[next]] [[text Started it.]]',
      { permissions: 'autonomous' },
    );
    const { threadId } = dispatch;
    await at.firstEvent(threadId, 'result');
    expect(await at.thread(threadId, ({ status }) => status.state !== 'initializing')).toMatchObject({
      status: { state: 'busy' },
    });
    expect((await at.host.dispatches.get(dispatch.id)).state).toBe('running');
    const { workspace } = await at.host.threads.get(threadId);
    writeFileSync(join(workspace.path, 'go'), '');
    const ended = await at.ended(dispatch);
    expect(ended.outcome?.result).toBe('succeeded');
    expect(await at.status(threadId, 'idle')).toMatchObject({ state: 'idle' });
  });

  test('after a stop in the middle of work: the work is called off, its prompt is cancelled', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]]');
    const prompt = await at.asked(dispatch.threadId);
    const stopped = await at.host.threads.stop(dispatch.threadId, owner);
    expect(stopped.status).toMatchObject({ state: 'stopped', why: 'stopped by owner' });
    expect(await at.prompt(prompt)).toMatchObject({ state: 'cancelled', reason: 'turn_cancelled' });
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'cancelled', exitCode: 130 });
    expect(await at.events(dispatch.threadId, 'run_ended')).toMatchObject([
      { reason: `stopped by ${owner}` },
    ]);
    // Its next message starts it again, in the same session.
    const next = await at.done('[[text Back.]]', { thread: dispatch.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Back.' });
    expect((await at.events(dispatch.threadId, 'run_started')).map(({ resumes }) => resumes)).toEqual([
      false,
      true,
    ]);
  });

  test('of an idle agent whose process is killed is crashed, and the next message starts it again', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const first = await at.done('[[text Hello.]]');
    await at.status(first.threadId, 'idle');
    await at.kill('agent');
    expect(await at.status(first.threadId, 'crashed')).toEqual({
      state: 'crashed',
      exitCode: null,
      signal: 'SIGKILL',
      why: expect.stringContaining('SIGKILL'),
      source: 'process',
      confidence: 'authoritative',
    });
    // The work that had ended before stays as it ended.
    expect(await at.host.dispatches.get(first.id)).toEqual(first);
    const next = await at.done('[[text Again.]]', { thread: first.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Again.' });
    expect(next.attempts.length).toBe(1);
    expect(at.modelHeard('Again.')).toEqual(['[[text Hello.]]', '[[text Again.]]']);
  });

  test('of an agent that has been idle for long is stopped, and it goes on where it was', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ idleTimeoutMinutes: 0.02 });
    const { threadId } = await at.done('[[text Hello.]]');
    expect(await at.status(threadId, 'stopped')).toMatchObject({
      why: 'stopped: it was idle',
    });
    const next = await at.done('[[text Again.]]', { thread: threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Again.' });
    expect(at.modelHeard('Again.')).toEqual(['[[text Hello.]]', '[[text Again.]]']);
  });
});

describe('a question whose process died', () => {
  for (const { victim, tags } of [
    { victim: 'runner', tags: ['full'] },
    { victim: 'agent', tags: [] },
  ] as const) {
    test(`with its ${victim} stays open; the answer starts a new run that gets it, and the work ends well`, {
      tags: [...tags],
    }, async () => {
      const at = await openHostStage();
      const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Never said.]]');
      const { threadId } = dispatch;
      const prompt = await at.asked(threadId);
      await at.reached(dispatch, 'waiting');
      await at.kill(victim);
      const { status } = await at.thread(
        threadId,
        (thread) => thread.status.state === 'question' && !thread.status.held,
      );
      expect(status).toEqual({
        state: 'question',
        promptId: prompt.id,
        prompt: 'Which?',
        since: prompt.createdAt,
        held: false,
        why: "the agent's process ended; your answer restarts it",
        source: 'prompt',
        confidence: 'authoritative',
      });
      expect(await at.prompt(prompt)).toEqual(prompt);
      expect((await at.host.dispatches.get(dispatch.id)).state).toBe('waiting');

      at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
      await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
      // Neither a new try nor a failed one: the same attempt needed two runs.
      expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
      expect((await at.events(threadId, 'run_started')).map(({ resumes }) => resumes)).toEqual([false, true]);
      const settled = await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
      expect(settled).toMatchObject({
        state: 'answered',
        answers: [{ question: 'Which?', answer: ['B'] }],
        actor: owner,
        acceptedAt: instant,
        deliveredAt: instant,
      });
      const heard = at.modelHeard('Which?').filter((text) => text.includes('Answer'));
      expect(heard).toEqual([expect.stringMatching(/Which\?[\s\S]*\bB\b/)]);
      expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
        { item: { content: [{ text: '✓ Answered: B' }] } },
      ]);
    });
  }
});
