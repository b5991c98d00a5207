import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHostStage, owner, refusal } from '../host-stage.js';

const scripts = { setupScripts: [{ name: 'Install', command: 'npm ci' }] };
const proposal = { ...scripts, reason: 'The project uses npm.' };
const propose = { blocks: [{ tool: 'mcp__handraise__propose_scripts_config', input: proposal }] };
const says = (text: string) => ({ blocks: [{ text }] });
const text = `${JSON.stringify(scripts, undefined, 2)}\n`;

describe('scripts that an agent proposes', () => {
  test('are an approval that only a person gives, once, and only then a file', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    at.stage.simulator.setScript({ replies: [propose, propose, says('Done.')] });
    const folder = at.folder();
    const file = join(folder, '.handraise', 'config.json');
    const work = await at.work('Propose.', { permissions: 'autonomous', workspace: { path: folder } });
    const prompt = await at.asked(work.threadId);
    expect(prompt).toMatchObject({
      kind: 'approval',
      action: {
        tool: 'propose_scripts_config',
        input: { file_path: '.handraise/config.json', old_string: '', new_string: text },
        reason: 'The project uses npm.',
      },
    });
    expect(prompt.questions[0]?.question).toContain('Saving it starts nothing.');
    for (const more of [{ scope: 'thread' as const }, { updatedInput: { new_string: '{}' } }])
      expect(
        await refusal(at.host.prompts.answer(prompt.id, { decision: { approved: true, ...more } }, owner)),
      ).toMatchObject({ code: 'invalid' });
    const message = 'Use pnpm.';
    await at.host.prompts.answer(prompt.id, { decision: { approved: false, message } }, owner);
    const again = await at.asked(work.threadId, [prompt]);
    expect(existsSync(file)).toBe(false);
    await at.host.prompts.answer(again.id, { decision: { approved: true } }, owner);
    await at.ended(work);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(at.toolResults().map((result) => JSON.parse(result))).toMatchObject([
      { saved: false, decision: 'denied', note: expect.stringContaining('The user says: Use pnpm.') },
      { saved: true, decision: 'approved' },
    ]);
    expect(await at.prompt(again)).toMatchObject({ state: 'answered', consumedAt: expect.any(String) });
  });

  test.each(['runner', 'worker'] as const)(
    'and that are approved after the %s was lost are saved when they are proposed again, without another question',
    { tags: ['full'] },
    async (lost) => {
      const at = await openHostStage();
      at.stage.simulator.setScript({ replies: [propose] });
      const folder = at.folder();
      const work = await at.work('Propose.', { workspace: { path: folder } });
      const prompt = await at.asked(work.threadId);
      if (lost === 'worker') {
        await at.leave();
        await at.open();
      } else {
        await at.kill('runner');
        await at.thread(work.threadId, ({ status }) => status.state === 'question' && !status.held);
      }
      const replies = lost === 'runner' ? [propose, says('Saved.')] : [says('Saved.')];
      at.stage.simulator.setScript({ replies });
      await at.host.prompts.answer(prompt.id, { decision: { approved: true } }, owner);
      expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
      expect(readFileSync(join(folder, '.handraise', 'config.json'), 'utf8')).toBe(text);
      const { rows } = await at.host.prompts.list({ threadId: work.threadId });
      expect(rows).toMatchObject([{ id: prompt.id, state: 'answered', consumedAt: expect.any(String) }]);
    },
  );
});
