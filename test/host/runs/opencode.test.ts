// @module-tag full
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { opencodeShell } from '../../runtimes/opencode/opencode-driver.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const soon = { holdForMinutes: 0.005 };
const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
const command = 'echo made >> x';
const writes = `${opencodeShell(command)} [[next]] [[text Done.]]`;
/** The same command with other words about it: it is the command that was approved. */
const writing = { tool: 'bash', input: { command, description: 'As I said.' } };

const open = async (settings = {}): Promise<HostStage> => await openHostStage(settings, 'opencode');

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

describe('work that is given to OpenCode', () => {
  test('succeeds, and the next of its thread goes on in the same session', async () => {
    const at = await open();
    const first = await at.done('[[text The word is heliotrope.]]');
    expect(first.outcome).toMatchObject({ result: 'succeeded', summary: 'The word is heliotrope.' });
    const second = await at.done('[[text I remember.]]', { thread: first.threadId });
    expect(second.outcome).toMatchObject({ result: 'succeeded', exitCode: 0 });
    expect(JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.conversation)).toContain('heliotrope');
    expect((await at.thread(first.threadId)).usage).toMatchObject({ inputTokens: expect.any(Number) });
    const [report] = (await at.host.runtimes()).filter(({ name }) => name === 'opencode');
    expect(report).toMatchObject({ found: true, version: '1.18.33', capabilities: { editedInput: false } });
  });

  test('is not begun in a project with settings that nobody approved', async () => {
    const at = await open();
    const path = at.folder();
    mkdirSync(join(path, '.opencode', 'plugin'), { recursive: true });
    const loaded = join(at.stage.home, 'loaded');
    const plugin = `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '');\n`;
    writeFileSync(join(path, '.opencode', 'plugin', 'theirs.js'), plugin);
    const { outcome } = await at.done('[[text no]]', { workspace: { path }, retries: 0 });
    expect(outcome).toMatchObject({ result: 'failed' });
    expect(JSON.stringify(outcome)).toContain('.opencode/plugin/theirs.js');
    expect([existsSync(loaded), at.stage.simulator.modelRequests()]).toEqual([false, []]);
  });
});

describe('a question of OpenCode', () => {
  test('outlives the worker, and is answered by the next one', async () => {
    const at = await open();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.leave();
    await at.open();
    expect(await at.asked(dispatch.threadId)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
    });
  });

  test.each(['runner', 'agent'] as const)(
    'outlives the death of the %s; its answer is a message',
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
});

describe('an approval that OpenCode asks for', () => {
  test('and that is given after a park is used once for exactly that action', async () => {
    const at = await open(soon);
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    expect(prompt).toMatchObject({ kind: 'approval', action: { tool: 'Bash', input: { command } } });
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
  });
});
