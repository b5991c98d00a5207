import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReallyInside } from '../../../src/host/prompts/really-inside.js';
import { bash } from '../../runner/prompting.js';
import { openHostStage, owner } from '../host-stage.js';

const approved = { decision: { approved: true } } as const;

test('an answer is a precedent, becomes a rule that answers exactly so, over restarts, until it is withdrawn', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const touch = `${bash('touch a')} [[next]] [[text done]]`;
  const asked = async (text: string) => {
    const { id, threadId } = await at.work(text);
    return { id, threadId, prompt: await at.asked(threadId) };
  };
  const first = await asked(touch);
  expect(await at.host.prompts.precedents(first.prompt.id)).toEqual([]);
  await at.host.prompts.answer(first.prompt.id, approved, owner);
  await at.ended({ id: first.id });
  const { workspace } = await at.host.threads.get(first.threadId);
  const again = { workspace: { path: workspace.path } };

  const { id, threadId } = await at.work(touch, again);
  const second = await at.asked(threadId);
  const [precedent] = await at.host.prompts.precedents(second.id);
  expect(precedent).toMatchObject({
    promptId: first.prompt.id,
    likeness: 'same',
    answered: 'Approve',
    actor: owner,
  });
  if (!precedent?.answer) throw new Error('The precedent has no answer.');
  await at.host.prompts.answer(second.id, precedent.answer, owner);
  await at.ended({ id });

  const request = { name: 'touch-a', from: [first.prompt.id, second.id] };
  const rule = await at.host.rules.create(request, owner);
  expect(rule).toMatchObject({
    version: 1,
    state: 'tested',
    backtest: { looked: 2, agreed: 2, differed: 0, isWhole: true },
  });
  await at.host.rules.switchOn(rule.id, {}, owner);
  // A worker that starts knows it.
  await at.leave();
  await at.open();
  expect((await at.done(touch, again)).outcome?.result).toBe('succeeded');
  const answered = async () =>
    (await at.store.query('prompts', { limit: 100 })).rows.map((prompt) => [prompt.actor, prompt.state]);
  expect(await answered()).toEqual([
    [owner, 'answered'],
    [owner, 'answered'],
    ['policy:touch-a@1', 'answered'],
  ]);
  expect(await at.host.rules.get(rule.id)).toMatchObject({ state: 'on', used: 1 });

  await at.host.rules.withdraw(rule.id, owner);
  await expect(at.host.rules.switchOn(rule.id, {}, owner)).rejects.toMatchObject({ code: 'conflict' });
  const last = await at.work(touch, again);
  const third = await at.asked(last.threadId);
  await at.host.prompts.answer(third.id, { decision: { approved: false } }, owner);
  await at.ended({ id: last.id });

  // From now on it differs from what a person said, and whoever switches it on has to know.
  const next = await at.host.rules.create(request, owner);
  expect(next).toMatchObject({
    version: 2,
    backtest: { agreed: 2, differed: 1, differences: [{ promptId: third.id }] },
  });
  await expect(at.host.rules.switchOn(next.id, {}, owner)).rejects.toThrow(
    'would have answered 1 recorded prompt differently',
  );
  expect(await at.host.rules.switchOn(next.id, { differed: 1 }, owner)).toMatchObject({ state: 'on' });
});

test('a rule that another worker has withdrawn meanwhile answers nothing', { tags: ['full'] }, async () => {
  const at = await openHostStage();
  const touch = `${bash('touch b')} [[next]] [[text done]]`;
  const first = await at.work(touch);
  const prompt = await at.asked(first.threadId);
  await at.host.prompts.answer(prompt.id, approved, owner);
  await at.ended({ id: first.id });
  const { workspace } = await at.host.threads.get(first.threadId);
  const rule = await at.host.rules.create({ name: 'touch-b', from: [prompt.id] }, owner);
  await at.host.rules.switchOn(rule.id, {}, owner);
  // Behind the back of this worker, which still takes it for one that is on.
  await at.store.commit({
    operations: [
      {
        do: 'switchRule',
        ruleId: rule.id,
        from: 'on',
        to: 'withdrawn',
        actor: owner,
        at: new Date().toISOString(),
      },
    ],
  });
  const { id, threadId } = await at.work(touch, { workspace: { path: workspace.path } });
  const asked = await at.asked(threadId);
  expect(asked.state).toBe('pending');
  expect(await at.host.rules.get(rule.id)).toMatchObject({ state: 'withdrawn', used: 0 });
  await at.host.prompts.answer(asked.id, approved, owner);
  await at.ended({ id });
});

test('a path counts as inside only where all links lead to a plain, visible file there', async () => {
  const at = await openHostStage();
  const top = join(at.stage.home, 'inside');
  const outside = join(at.stage.home, 'outside');
  for (const folder of [join(top, 'src'), join(top, '.git'), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(top, 'src/a'), '');
  writeFileSync(join(outside, 'b'), '');
  symlinkSync(outside, join(top, 'out'));
  symlinkSync(join(top, '.git'), join(top, 'git'));
  symlinkSync(join(top, 'src'), join(top, 'lib'));
  symlinkSync(join(outside, 'none'), join(top, 'dangling'));
  const paths = [
    'src/a',
    'src/new',
    'new/deep',
    'lib/a',
    'out/b',
    'out/new',
    'git/hooks',
    'dangling',
    'src',
    'src/a/b',
  ];
  expect(paths.filter((path) => isReallyInside(top, path))).toEqual([
    'src/a',
    'src/new',
    'new/deep',
    'lib/a',
  ]);
});
