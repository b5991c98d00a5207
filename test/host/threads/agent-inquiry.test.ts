import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHostStage, owner, refusal } from '../host-stage.js';

describe('a running agent', () => {
  test('tells its models, commands, servers and account, and is asked once', async () => {
    const at = await openHostStage();
    const { agents } = at.host;
    const { threadId } = await at.done('[[text Ready.]]');
    const [models, again, commands, servers] = await Promise.all([
      agents.models(threadId),
      agents.models(threadId),
      agents.commands(threadId),
      agents.servers(threadId),
    ]);
    expect(models).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'default' })]));
    expect(again).toEqual(models);
    expect(commands.map(({ name }) => name)).toContain('compact');
    expect(servers).toEqual([{ name: 'handraise', status: 'connected' }]);
    expect(await agents.account(threadId)).toMatchObject({ login: expect.any(String) });
    await agents.models(threadId);
    expect(await at.events(threadId, 'supported_models')).toHaveLength(1);

    await at.host.threads.setThinkingBudget(threadId, 2048, 'user:phone');
    expect(await at.events(threadId, 'posture_amended')).toMatchObject([
      { posture: { maxThinkingTokens: 2048 }, actor: 'user:phone' },
    ]);
    await at.host.threads.stop(threadId, owner);
    await at.status(threadId, 'stopped');
    expect(await refusal(agents.models(threadId))).toMatchObject({ code: 'conflict' });
  });

  test('of OpenCode refuses a model that it does not know, and keeps the one it has', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({}, 'opencode');
    const { threadId } = await at.done('[[text Ready.]]');
    expect((await at.host.agents.models(threadId)).map(({ id }) => id)).toContain('sim/model-a');
    expect(await refusal(at.host.threads.setModel(threadId, 'sim/nope', owner))).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/knows no model sim\/nope here\. It has: .*sim\/model-a/),
    });
    expect(await at.events(threadId, 'posture_amended')).toEqual([]);
    await at.host.threads.setModel(threadId, 'sim/model-a', owner);
    expect(await at.events(threadId, 'posture_amended')).toMatchObject([
      { posture: { model: 'sim/model-a' }, actor: owner },
    ]);
    expect(await refusal(at.host.agents.account(threadId))).toMatchObject({ code: 'unsupported_by_runtime' });
    expect(await refusal(at.host.threads.setThinkingBudget(threadId, 1, owner))).toMatchObject({
      code: 'unsupported_by_runtime',
    });
  });
});

describe("the user's own settings of Claude Code", () => {
  test.each([
    [false, 1],
    [true, 0],
  ])('count only if the user wants it (%s)', { tags: ['full'] }, async (claudeUserSettings, prompts) => {
    const at = await openHostStage({ claudeUserSettings });
    const folder = at.stage.env['CLAUDE_CONFIG_DIR'] ?? '';
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash(touch made)'] } }),
    );
    const work = await at.work('[[tool Bash {"command":"touch made"}]] [[next]] [[text Done.]]');
    if (prompts > 0) await at.host.prompts.answer((await at.asked(work.threadId)).id, { text: 'yes' }, owner);
    await at.ended(work);
    expect((await at.host.prompts.list({ threadId: work.threadId })).rows.length).toBe(prompts);
  });
});
