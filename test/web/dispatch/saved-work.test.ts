import { expect, test } from 'vitest';
import { firstBlank, savedOf, savedWork } from '../../../src/web/dispatch/saved-work.js';
import { usualChoices, type WorkForm } from '../../../src/web/dispatch/work-words.js';

const form: WorkForm = {
  ...usualChoices,
  text: 'Mend {{ticket}}.',
  folder: '/home/ada/project',
  model: 'opus',
};
const saved = (name: string) => {
  const work = savedOf(form, name);
  if (typeof work === 'string') throw new Error(work);
  return work;
};

class Kept {
  readonly texts = new Map<string, string>();
  getItem = (key: string) => this.texts.get(key) ?? null;
  setItem = (key: string, text: string) => void this.texts.set(key, text);
}

test('work is saved under a name, replaced under the same one, and forgotten', () => {
  const kept = new Kept();
  expect(savedWork.all(kept)).toEqual([]);
  expect(savedWork.keep(kept, saved('tickets'))).toBe(true);
  expect(savedWork.keep(kept, saved('audit'))).toBe(true);
  expect(savedWork.keep(kept, { ...saved('audit'), budget: '5' })).toBe(true);
  expect(savedWork.all(kept).map(({ name, budget }) => [name, budget])).toEqual([
    ['audit', '5'],
    ['tickets', ''],
  ]);
  expect(savedWork.all(kept)[1]).toEqual({
    name: 'tickets',
    text: 'Mend {{ticket}}.',
    folder: '/home/ada/project',
    runtime: 'claude',
    freedom: 'ask',
    model: 'opus',
    tools: 'full',
    command: '',
    skill: '',
    budget: '',
    worktree: false,
  });
  expect(savedWork.forget(kept, 'audit')).toBe(true);
  expect(savedWork.all(kept)).toEqual([saved('tickets')]);
});

test('what cannot be read is left out, and a browser that keeps nothing says so', () => {
  const kept = new Kept();
  savedWork.keep(kept, saved('tickets'));
  const [key = ''] = kept.texts.keys();
  kept.setItem(key, JSON.stringify([{ name: 'of another version' }, saved('tickets')]));
  expect(savedWork.all(kept)).toEqual([saved('tickets')]);
  kept.setItem(key, '{{{');
  expect(savedWork.all(kept)).toEqual([]);
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(savedWork.keep(full, saved('tickets'))).toBe(false);
  expect(savedWork.keep(kept, saved(''))).toBe(false);
  expect(savedWork.keep(kept, saved('x'.repeat(61)))).toBe(false);
  expect(savedOf({ ...form, text: ' ' }, 'nothing')).toBe('Describe the work first.');
});

test.each([
  ['Mend {{ticket}} and {{other}}.', '{{ticket}}'],
  ['const a = {};', undefined],
  ['{{}}', undefined],
  ['{{a\nb}}', undefined],
  ['{{{{deep}}', '{{deep}}'],
])('the first blank of %j is %j', (text, words) => {
  const blank = firstBlank(text);
  expect(blank?.words).toBe(words);
  if (blank) expect(text.slice(blank.start, blank.end)).toBe(words);
});
