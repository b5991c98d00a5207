import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/protocol/rule.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aPrompt, aThread, at, done, id, refused } from './records.js';

export function newRule(given: Partial<Rule> = {}): Rule {
  return {
    id: id('rule'),
    name: `rule-${id('rule').slice(-8)}`,
    version: 1,
    state: 'tested',
    project: '/workspace',
    match: { what: 'edit', reach: 'kind', path: 'src/*.js' },
    answer: { decision: { approved: true } },
    words: 'In /workspace it approves editing src/*.js.',
    from: [id('prompt')],
    backtest: { at: at(0), looked: 1, isWhole: true, agreed: 1, differed: 0, differences: [] },
    made: { actor: 'user:me', at: at(0) },
    used: 0,
    ...given,
  };
}

const on = (ruleId: Rule['id']) =>
  ({ do: 'switchRule', ruleId, from: 'tested', to: 'on', actor: 'user:me', at: at(5) }) as const;

/** Precedents are found by what was asked and who answered; a rule is used only while it is on. */
export function rulesContract(makePlace: MakePlace): void {
  describe('precedents', () => {
    const opened = openedStore(makePlace);

    test('are answers of persons in the same project: the same first, then the newest alike', async () => {
      const { store } = opened;
      const { id: threadId } = await aThread(store);
      const project = `/p/${threadId}`;
      const answered = async (keys: object, actor: 'user:me' | 'policy:deadline' = 'user:me') => {
        const prompt = await aPrompt(store, threadId, { keys: { project, same: 's', ...keys } });
        await done(store, [
          { do: 'acceptAnswer', promptId: prompt.id, actor, at: at(4), answer: { text: 'A' } },
        ]);
        return prompt.id;
      };
      const same = await answered({});
      const alike = await answered({ same: 'other', similar: 'a' });
      const newer = await answered({ similar: 'a' });
      await answered({ project: '/other' });
      await answered({}, 'policy:deadline');
      const open = await aPrompt(store, threadId, { keys: { project, same: 's', similar: 'a' } });
      const found = async (keys: object, limit = 5) =>
        (
          await store.query('precedents', { keys: { project, same: 's', ...keys }, except: open.id, limit })
        ).map((prompt) => prompt.id);
      expect(await found({ similar: 'a' })).toEqual([newer, same, alike]);
      expect(await found({})).toEqual([newer, same]);
      expect(await found({ similar: 'a' }, 1)).toEqual([newer]);
      expect(await found({ same: 'none' })).toEqual([]);
      expect((await store.query('prompt', { id: open.id }))?.keys).toEqual({
        project,
        same: 's',
        similar: 'a',
      });
      const { rows } = await store.query('prompts', { answeredIn: project, order: 'newest_first' });
      expect(rows.map((prompt) => prompt.id)).toEqual([newer, alike, same]);
    });
  });

  describe('a rule', () => {
    const opened = openedStore(makePlace);

    test('is kept as it was made; a version is there once', async () => {
      const { store } = opened;
      const rule = newRule();
      await done(store, [{ do: 'insertRule', rule }]);
      expect(await store.query('rule', { id: rule.id })).toEqual(rule);
      const again = newRule({ name: rule.name });
      expect(await refused(store, { operations: [{ do: 'insertRule', rule: again }] })).toMatchObject({
        because: 'condition',
        current: { rule: { id: rule.id } },
      });
      expect(await store.query('rule', { id: again.id })).toBeNull();
    });

    test('answers only while it is on, and counts', async () => {
      const { store } = opened;
      const rule = newRule();
      const use = { do: 'useRule', ruleId: rule.id, at: at(9) } as const;
      const step = { do: 'switchRule', ruleId: rule.id, actor: 'user:me', at: at(5) } as const;
      await done(store, [{ do: 'insertRule', rule }]);
      expect(await refused(store, { operations: [use] })).toMatchObject({
        current: { rule: { state: 'tested' } },
      });
      await done(store, [{ ...step, from: 'tested', to: 'on' }]);
      await done(store, [use]);
      await done(store, [use]);
      expect(await store.query('rule', { id: rule.id })).toMatchObject({
        state: 'on',
        used: 2,
        lastUsedAt: at(9),
      });
      await done(store, [{ ...step, from: 'on', to: 'withdrawn' }]);
      expect(await refused(store, { operations: [use] })).toMatchObject({
        because: 'condition',
        current: { rule: { state: 'withdrawn', used: 2 } },
      });
      expect(await refused(store, { operations: [{ ...step, from: 'tested', to: 'on' }] })).toMatchObject({
        because: 'condition',
      });
      expect(await refused(store, { operations: [{ ...use, ruleId: id('rule') }] })).toMatchObject({
        because: 'missing',
      });
    });

    test('takes the place of its earlier version', async () => {
      const { store } = opened;
      const one = newRule();
      const two = newRule({ name: one.name, version: 2 });
      await done(store, [{ do: 'insertRule', rule: one }, { do: 'insertRule', rule: two }, on(one.id)]);
      await done(store, [on(two.id)]);
      const { rows } = await store.query('rules', { name: one.name });
      expect(rows.map(({ version, state }) => [version, state])).toEqual([
        [1, 'withdrawn'],
        [2, 'on'],
      ]);
      expect((await store.query('rules', { state: 'on' })).rows.map((rule) => rule.id)).toContain(two.id);
    });
  });
}
