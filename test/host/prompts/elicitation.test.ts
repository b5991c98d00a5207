import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const file = new URL('../../fixtures/mcp/eliciting-server.js', import.meta.url).pathname;
const schema = {
  type: 'object',
  properties: { region: { type: 'string', enum: ['eu', 'us'] }, count: { type: 'integer', maximum: 9 } },
  required: ['region', 'count'],
};
const calls = (at: HostStage) => join(at.stage.home, 'calls');
const ask = (tool: string, input: Record<string, unknown> = { schema }) => ({
  blocks: [{ tool: `mcp__el__${tool}`, input: { message: 'Deploy?', ...input } }],
});
const says = (text: string) => ({ blocks: [{ text }] });

/** Work for an agent whose MCP server asks; nobody wants to be asked about actions. */
async function working(at: HostStage, ...replies: object[]): Promise<Dispatch> {
  at.stage.simulator.setScript({ replies });
  const mcpServers = { el: { command: process.execPath, args: [file, calls(at)] } };
  return await at.work('Deploy it.', { permissions: 'autonomous', posture: { mcpServers } });
}

const askings = (at: HostStage) => readFileSync(calls(at), 'utf8').trim().split('\n').length;

describe('what an MCP server asks', () => {
  test('is a prompt that takes only what fits, and can be declined', async () => {
    const at = await openHostStage();
    const work = await working(at, ask('form'), ask('form'), says('Done.'));
    const prompt = await at.asked(work.threadId);
    expect(prompt).toMatchObject({ kind: 'ask_user_question', onUnanswered: 'wait' });
    expect(Date.parse(prompt.deadline ?? '') - Date.parse(prompt.createdAt)).toBeGreaterThan(50_000);
    const [region = '', count = ''] = prompt.questions.map(({ question }) => question);
    const answer = async (text: string) => await at.host.prompts.answer(prompt.id, { text }, owner);
    const answers = [
      { question: region, answer: ['mars'] },
      { question: count, answer: ['3'] },
    ];
    expect((await refusal(answer('1) eu 2) many'))).code).toBe('invalid');
    expect(await refusal(at.host.prompts.answer(prompt.id, { answers }, owner))).toEqual({
      code: 'invalid',
      message: '"Deploy?\nregion" takes one of its options, and "mars" is none of them.',
    });
    expect(await at.prompt(prompt)).toEqual(prompt);
    await answer('1) eu 2) 3');
    const second = await at.asked(work.threadId, [prompt]);
    await at.host.prompts.answer(second.id, { decision: { approved: false } }, owner);
    await at.ended(work);
    expect(at.toolResults().map((text) => JSON.parse(text))).toEqual([
      { action: 'accept', content: { region: 'eu', count: 3 } },
      { action: 'decline' },
    ]);
    expect(await at.prompt(second)).toMatchObject({ state: 'answered', decision: { approved: false } });
  });

  test('by a page is decided by a person even where nobody wants to be asked', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const work = await working(at, ask('page', { url: 'https://login.example/?a=1' }), says('Done.'));
    const prompt = await at.asked(work.threadId);
    expect(prompt).toMatchObject({
      kind: 'approval',
      action: { tool: 'OpenUrl', input: { host: 'login.example', url: 'https://login.example/?a=1' } },
    });
    const forThread = { decision: { approved: true, scope: 'thread' as const } };
    expect((await refusal(at.host.prompts.answer(prompt.id, forThread, owner))).code).toBe('invalid');
    await at.host.prompts.answer(prompt.id, { decision: { approved: true } }, owner);
    await at.ended(work);
    expect(at.toolResults()).toEqual(['{"action":"accept"}']);
  });

  test('is cancelled when the server stops waiting, and says so', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const work = await working(at, ask('form', { schema, patienceMs: 300 }), says('Went on.'));
    expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
    const { rows } = await at.host.prompts.list({ threadId: work.threadId });
    expect(rows).toMatchObject([{ state: 'cancelled', reason: 'server_gave_up' }]);
    expect(at.toolResults()).toEqual(['"gave up: -32001"']);
  });

  test('that a person closes is told as closed', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const work = await working(at, ask('form'), says('Went on.'));
    await at.host.prompts.cancel((await at.asked(work.threadId)).id, { actor: owner });
    await at.ended(work);
    expect(at.toolResults()).toEqual(['{"action":"cancel"}']);
  });

  test.each(['form', 'look'] as const)(
    'finds its answer again after kill -9, and a person is asked before the call of "%s" is made again',
    { tags: ['full'] },
    async (tool) => {
      const at = await openHostStage();
      const work = await working(at, ask(tool));
      const prompt = await at.asked(work.threadId);
      await at.kill('runner');
      await at.thread(work.threadId, ({ status }) => status.state === 'question' && !status.held);
      at.stage.simulator.setScript({ replies: [ask(tool), says('Deployed.')] });
      await at.host.prompts.answer(prompt.id, { text: '1) us 2) 4' }, owner);
      if (tool === 'form') {
        const again = await at.asked(work.threadId, [prompt]);
        expect(again).toMatchObject({ kind: 'approval', action: { tool: 'mcp__el__form' } });
        expect(again.action?.reason).toContain('may do it twice');
        await at.host.prompts.answer(again.id, { decision: { approved: true } }, owner);
      }
      expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
      expect(at.toolResults().at(-1)).toBe('{"action":"accept","content":{"region":"us","count":4}}');
      expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', consumedAt: expect.any(String) });
      expect(askings(at)).toBe(2);
      const { rows } = await at.host.prompts.list({ threadId: work.threadId });
      expect(rows).toHaveLength(tool === 'form' ? 2 : 1);
    },
  );

  test('and does not wait for is asked of a person before the next call, of whichever thread, and that can wait', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.001 });
    const hasty = await working(at, ask('form', { schema, patienceMs: 300 }), says('Went on.'));
    await at.ended(hasty);
    const work = await working(at, ask('form'), says('Deployed.'));
    const before = await at.asked(work.threadId);
    expect(before).toMatchObject({ kind: 'approval', action: { tool: 'mcp__el__form' } });
    expect(before.action?.reason).toContain('Approve when you are there');
    expect(askings(at)).toBe(1);
    await at.thread(work.threadId, ({ status }) => status.state === 'question' && !status.held);
    await at.host.prompts.answer(before.id, { decision: { approved: true } }, owner);
    const question = await at.asked(work.threadId, [before]);
    expect(question.questions[0]).toMatchObject({ server: 'el', tool: 'mcp__el__form' });
    await at.host.prompts.answer(question.id, { text: '1) eu 2) 1' }, owner);
    expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
    expect(askings(at)).toBe(2);
    expect(at.toolResults().at(-1)).toBe('{"action":"accept","content":{"region":"eu","count":1}}');
    expect((await at.host.prompts.list({ threadId: work.threadId })).rows).toHaveLength(2);
  });

  test('with a tool that the user has named is asked of a person before the first call, and that can wait', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.001, elicitingTools: ['mcp__el__form'] });
    const work = await working(at, ask('form'), says('Deployed.'));
    const before = await at.asked(work.threadId);
    expect(before).toMatchObject({ kind: 'approval', action: { tool: 'mcp__el__form' } });
    await at.thread(work.threadId, ({ status }) => status.state === 'question' && !status.held);
    expect(existsSync(calls(at))).toBe(false);
    await at.host.prompts.answer(before.id, { decision: { approved: true } }, owner);
    const question = await at.asked(work.threadId, [before]);
    await at.host.prompts.answer(question.id, { text: '1) us 2) 2' }, owner);
    expect((await at.ended(work)).outcome).toMatchObject({ result: 'succeeded' });
    expect(at.toolResults().at(-1)).toBe('{"action":"accept","content":{"region":"us","count":2}}');
    expect(askings(at)).toBe(1);
  });
});
