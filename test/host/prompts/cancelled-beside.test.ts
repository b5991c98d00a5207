// @module-tag full
import { expect, test } from 'vitest';
import { tool } from '../../runner/prompting.js';
import { asking } from '../../runtimes/codex/codex-driver.js';
import { openHostStage, owner } from '../host-stage.js';

const fetches = (name: string, more: object) =>
  ['a', 'b'].map((path) => tool(name, { url: `http://127.0.0.1:1/${path}`, ...more }));

test.each([
  ['claude', fetches('WebFetch', { prompt: 'x' })],
  ['codex', [asking('touch a'), asking('touch b')]],
  ['opencode', fetches('webfetch', { format: 'text' })],
] as const)(
  '%s hears why one of two calls was cancelled, also when it is parked before it could',
  async (runtime, calls) => {
    const at = await openHostStage({ holdForMinutes: 0.005 }, runtime);
    const dispatch = await at.work(`${calls.join(' ')} [[next]] [[text Went on.]]`);
    const first = await at.asked(dispatch.threadId);
    await at.host.prompts.cancel(first.id, { reason: 'not now, heliotrope', actor: owner });
    const second = await at.asked(dispatch.threadId, [first]);
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    const heard = { blocks: [{ text: 'I heard it.' }] };
    at.stage.simulator.setScript({ replies: [heard, heard] });
    const decision = { approved: false, message: 'nor gladiolus' };
    await at.host.prompts.answer(second.id, { decision }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ summary: 'I heard it.' });
    const told = JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.conversation);
    expect([told.split('heliotrope').length, told.split('gladiolus').length]).toEqual([2, 2]);
  },
);
