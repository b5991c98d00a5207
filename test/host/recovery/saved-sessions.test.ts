import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { saved, sessionFiles } from '../claude-sessions.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const asksAndHangs = '[[ask Which way? | Left | Right]] [[next]] [[hang]]';

/** What a session that was killed at once would have: the lines of its file that pass, or no file. */
function rewriteSession(at: HostStage, isSaved: (line: string) => boolean): void {
  for (const file of sessionFiles(at)) {
    const kept = readFileSync(file, 'utf8').split('\n').filter(isSaved);
    if (kept.length > 0) writeFileSync(file, kept.join('\n'));
    else rmSync(file);
  }
}

/** Answers the question, and kills everything once the agent has asked the model what comes next. */
async function answeredAndKilled(at: HostStage, isSaved: (line: string) => boolean) {
  const dispatch = await at.work(asksAndHangs);
  const prompt = await at.asked(dispatch.threadId);
  await at.host.prompts.answer(prompt.id, { text: 'Left' }, owner);
  await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
  await at.stage.simulator.waitFor((request) =>
    (request.conversation?.entries ?? []).some(({ kind }) => kind === 'toolResult'),
  );
  await saved(at, '"tool_result"');
  await at.leave();
  await at.kill('runner');
  await at.gone();
  rewriteSession(at, isSaved);
  at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'Went left.' }] }] });
  await at.open();
  return { dispatch, prompt, ended: await at.ended(dispatch) };
}

describe('when an agent ends', () => {
  test('an answer that its session holds stays used', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const file = join(path, '.agora', 'needs_input.json');
    const content = JSON.stringify({ question: 'Which way?' });
    const asks = `[[tool Write ${JSON.stringify({ file_path: file, content })}]] [[next]] [[text Over.]]`;
    const dispatch = await at.work(asks, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    await at.host.prompts.answer(prompt.id, { text: 'left' }, owner);
    await at.ended(dispatch);
    const used = await at.prompt(prompt);
    expect(used.consumedAt).toBeDefined();
    await at.host.threads.stop(dispatch.threadId, owner);
    await at.status(dispatch.threadId, 'stopped');
    expect(await at.prompt(prompt)).toEqual(used);
  });

  test('an answer that it had used and not saved is told again', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { ended, prompt } = await answeredAndKilled(at, (line) => !line.includes('"tool_result"'));
    expect(ended).toMatchObject({ outcome: { result: 'succeeded', summary: 'Went left.' } });
    expect(ended.attempts.length).toBe(1);
    expect(at.modelHeard().filter((text) => text.includes('Answer: Left')).length).toBe(1);
    expect((await at.prompt(prompt)).consumedAt).toBeDefined();
  });

  test('an answer that it had used and saved is not told again', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { ended } = await answeredAndKilled(at, () => true);
    expect(ended).toMatchObject({ outcome: { result: 'succeeded', summary: 'Went left.' } });
    expect(ended.attempts.map(({ outcome }) => outcome?.result)).toEqual(['failed', 'succeeded']);
    expect(at.modelHeard().filter((text) => text.includes('Answer: Left'))).toEqual([]);
  });

  test('with nothing saved, the next one starts afresh with the work, the question and the answer', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { dispatch, ended } = await answeredAndKilled(at, () => false);
    expect(ended).toMatchObject({ outcome: { result: 'succeeded', summary: 'Went left.' } });
    expect(at.modelHeard()).toEqual([
      `${asksAndHangs}\n\nHere is the answer to your question.\n\nQuestion: Which way?\nAnswer: Left\n\nContinue your work.`,
    ]);
    const notices = await at.events(dispatch.threadId, 'notice');
    expect(notices).toMatchObject([
      {
        message: 'The agent starts a new session, because its process ended before it had saved the old one.',
      },
    ]);
  });

  test('after it was let go and woken, the next life remembers all that was said since', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.005 });
    const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
    const first = await at.work(asks);
    const thread = first.threadId;
    const prompt = await at.asked(thread);
    expect(await at.firstEvent(thread, 'parked')).toMatchObject({ how: 'deferred' });
    await at.firstEvent(thread, 'run_ended');
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    await at.ended(first);
    await at.done('[[text Two.]]', { thread });
    const third = await at.work('[[hang]]', { thread });
    await at.modelAsked('[[hang]]');
    await saved(at, '[[hang]]');
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'Three.' }] }] });
    await at.kill('runner');
    expect((await at.ended(third)).outcome).toMatchObject({ result: 'succeeded', summary: 'Three.' });
    expect(at.modelHeard()).toEqual([
      asks,
      'Continue from where you left off.',
      '[[text Two.]]',
      '[[hang]]',
      'Your last attempt ended early (crashed). Continue where it stopped:\n\n[[hang]]',
    ]);
  });
});
