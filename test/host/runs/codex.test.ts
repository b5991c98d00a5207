import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asking } from '../../runtimes/codex/codex-driver.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const soon = { holdForMinutes: 0.005 };
const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
const command = 'echo made >> x';
const writes = `${asking(command)} [[next]] [[text Done.]]`;
/** The same command with another reason: it is the command that was approved. */
const writing = {
  tool: 'exec_command',
  input: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'As I said.' },
};

const open = async (settings = {}): Promise<HostStage> => await openHostStage(settings, 'codex');

/** Waits until the process of an asking agent is gone. */
async function unheld(
  at: HostStage,
  { threadId }: { readonly threadId: Parameters<HostStage['thread']>[0] },
) {
  await at.thread(threadId, ({ status }) => status.state === 'question' && !status.held);
}

function lines(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
}

describe('work that is given to Codex', () => {
  test('succeeds, and the next of its thread goes on in the same session', async () => {
    const at = await open();
    const first = await at.done('[[text The word is heliotrope.]]');
    expect(first.outcome).toMatchObject({ result: 'succeeded', summary: 'The word is heliotrope.' });
    const second = await at.done('[[text I remember.]]', { thread: first.threadId });
    expect(second.outcome).toMatchObject({ result: 'succeeded', exitCode: 0 });
    expect(JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.conversation)).toContain('heliotrope');
    expect((await at.thread(first.threadId)).usage).toMatchObject({
      inputTokens: expect.any(Number),
      costUsd: null,
    });
    const [report] = (await at.host.runtimes()).filter(({ name }) => name === 'codex');
    expect(report).toMatchObject({ found: true, version: '0.166.0', capabilities: { editedInput: false } });
  });

  test.each([
    ['401', 77, 'auth'],
    ['500', 69, 'server'],
  ])(
    'ends with the exit code of what the model’s server says: %s',
    { tags: ['full'] },
    async (status, exitCode, reason) => {
      const at = await open();
      const { outcome } = await at.done(`[[error ${status} times=100]]`, { retries: 0 });
      expect(outcome).toMatchObject({ result: 'failed', exitCode, reason });
    },
  );

  test('is refused where Codex cannot do it, before it is queued', async () => {
    const at = await open();
    const refused = async (posture: object) => await refusal(at.work('[[text no]]', { posture }));
    expect(await refused({ toolPreset: 'no-bash' })).toMatchObject({ code: 'unsupported_by_runtime' });
    expect(await refused({ checkpointing: true })).toMatchObject({ code: 'unsupported_by_runtime' });
    expect(await refused({ maxTurns: 3 })).toMatchObject({ code: 'unsupported_by_runtime' });
  });
});

test('whose program disappears before it is started is told as not installed, and not tried again', {
  tags: ['full'],
}, async () => {
  const at = await open();
  const link = join(at.stage.home, 'codex');
  symlinkSync(at.stage.env['HANDRAISE_CODEX'] ?? '', link);
  await at.leave();
  Object.assign(at.stage.env, { HANDRAISE_CODEX: link });
  await at.open();
  const dispatch = await at.work('[[text No.]]');
  // It was there when the launch was checked.
  await at.firstEvent(dispatch.threadId, 'run_started');
  rmSync(link);
  const { outcome, attempts } = await at.ended(dispatch);
  expect(outcome).toMatchObject({
    result: 'failed',
    exitCode: 69,
    reason: 'not_installed',
    retriable: false,
    summary: expect.stringContaining(
      `Codex is not installed where HANDRAISE_CODEX says: ${link} was not found`,
    ),
  });
  expect(attempts.length).toBe(1);
});

describe('a question of Codex', () => {
  test('outlives the worker, and is answered by the next one', async () => {
    const at = await open();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.leave();
    await at.open();
    expect(await at.asked(dispatch.threadId)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual(['{"answers":{"q1":{"answers":["B"]}}}']);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
    });
  });

  test.each(['runner', 'agent'] as const)(
    'outlives the death of the %s; its answer is a message',
    { tags: ['full'] },
    async (who) => {
      const at = await open();
      const dispatch = await at.work(asks);
      const prompt = await at.asked(dispatch.threadId);
      await at.kill(who);
      await unheld(at, dispatch);
      at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
      await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
      expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
      expect(at.modelHeard('Answer').at(-1)).toMatch(/Which\?[^]*\bB\b/);
      expect((await at.events(dispatch.threadId, 'prompt_asked')).length).toBe(1);
    },
  );

  test('is parked by an interrupt, and its answer wakes the session', { tags: ['full'] }, async () => {
    const at = await open(soon);
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    expect(await at.firstEvent(dispatch.threadId, 'parked')).toMatchObject({ how: 'interrupted' });
    await at.firstEvent(dispatch.threadId, 'run_ended');
    await at.runs('codex', { isThere: false });
    await unheld(at, dispatch);
    expect(await at.prompt(prompt)).toEqual(prompt);

    // The agent asks the same again instead of going on: it finds its answer, and nobody is asked a second time.
    at.stage.simulator.setScript({
      replies: [{ blocks: [{ ask: 'Which?', options: ['A', 'B'] }] }, { blocks: [{ text: 'B, then.' }] }],
    });
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'B, then.' });
    expect(at.toolResults().at(-1)).toBe('{"answers":{"q1":{"answers":["B"]}}}');
    expect((await at.events(dispatch.threadId, 'prompt_asked')).length).toBe(1);
  });
});

describe('an approval that Codex asks for', () => {
  test('is refused another input, and denies with a message', async () => {
    const at = await open();
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    expect(prompt).toMatchObject({
      kind: 'approval',
      action: { tool: 'Bash', input: { command: 'echo made >> x' } },
    });
    const edited = { decision: { approved: true, updatedInput: { command: 'echo other' } } };
    expect(await refusal(at.host.prompts.answer(prompt.id, edited, owner))).toMatchObject({
      code: 'unsupported_by_runtime',
    });
    await at.host.prompts.answer(
      prompt.id,
      { decision: { approved: false, message: 'Not on a Friday.' } },
      owner,
    );
    await at.ended(dispatch);
    expect(at.modelHeard('Friday')).toContain('Not on a Friday.');
    expect(existsSync(join(path, 'x'))).toBe(false);
  });

  test('and that is given after a park is used once for exactly that action', {
    tags: ['full'],
  }, async () => {
    const at = await open(soon);
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    await at.firstEvent(dispatch.threadId, 'run_ended');
    await unheld(at, dispatch);
    at.stage.simulator.setScript({
      replies: [{ blocks: [writing] }, { blocks: [writing] }, { blocks: [{ text: 'Made it.' }] }],
    });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    const again = await at.asked(dispatch.threadId, [prompt]);
    expect([lines(join(path, 'x')), again.fingerprint]).toEqual([1, prompt.fingerprint]);
    await unheld(at, dispatch);
    at.stage.simulator.setScript({ replies: [{ blocks: [writing] }, { blocks: [{ text: 'Made it.' }] }] });
    await at.host.prompts.answer(again.id, { text: 'approve' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Made it.' });
    expect(lines(join(path, 'x'))).toBe(2);
    expect((await at.events(dispatch.threadId, 'prompt_asked')).length).toBe(2);
  });
});
