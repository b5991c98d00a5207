// @module-tag full
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/protocol/prompt.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open({ env: { HANDRAISE_UNDO_SECONDS: '30' } });
});
afterEach(async () => {
  await at.closePages();
  for (const { id, undoUntil } of await at.client.prompts.open()) {
    if (undoUntil !== undefined) await at.client.prompts.undo(id);
    await at.client.prompts.cancel(id);
  }
});
afterAll(async () => await at[Symbol.asyncDispose]());

const isHeld = ({ undoUntil }: Prompt) => undoUntil !== undefined;

async function asking(command: string): Promise<Prompt> {
  const tool = JSON.stringify({ command });
  const { threadId } = await at.work(`[[tool Bash ${tool}]] [[next]] [[text Done.]]`);
  return await at.asked(threadId);
}

test('an approval is held back, and a key takes it back', async () => {
  const prompt = await asking('echo once > once.txt');
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  await page.keyboard.press('y');
  const held = await at.prompt(prompt.id, isHeld);
  expect(held).toMatchObject({ state: 'pending', actor: 'user:owner' });
  expect(held.acceptedAt).toBeUndefined();
  await page
    .getByText(/can be undone for \d+ s/)
    .first()
    .waitFor();

  await page.keyboard.press('z');
  expect(await at.prompt(prompt.id, (each) => !isHeld(each))).toEqual(prompt);
  await page.getByRole('button', { name: /^Approve y/ }).waitFor();
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
});

test('what was answered together is taken back together', async () => {
  const command = 'echo same > same.txt';
  const prompts = [await asking(command), await asking(command)];
  const page = await at.page(`/prompts/${prompts[0]?.id}`);
  await steady(page);
  await page.keyboard.press('t');
  await steady(page);
  await page.keyboard.press('y');
  for (const { id } of prompts) await at.prompt(id, isHeld);
  await page.getByText('(2 times)').waitFor();
  await page.getByRole('button', { name: /^Undo/ }).click();
  for (const prompt of prompts) expect(await at.prompt(prompt.id, (each) => !isHeld(each))).toEqual(prompt);
});

test('who looks at the same prompt elsewhere sees who answered, and that it can be undone; keys decide nothing', async () => {
  const prompt = await asking('echo seen > seen.txt');
  const other = await at.page(`/prompts/${prompt.id}`);
  await steady(other);
  await at.client.prompts.answer(prompt.id, { text: 'approve', holdSeconds: 30 });
  await other.getByText(/by owner, can be undone for \d+ s/).waitFor();
  await other.keyboard.press('y');
  expect(await at.client.prompts.get(prompt.id)).toMatchObject({ undoUntil: expect.any(String) });
});

test('an answer that was held back counts although the page was closed', async () => {
  const prompt = await asking('echo late > late.txt');
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  await page.keyboard.press('y');
  await at.prompt(prompt.id, isHeld);
  await at.closePages();
  expect(await at.prompt(prompt.id, ({ acceptedAt }) => acceptedAt !== undefined)).toMatchObject({
    actor: 'user:owner',
  });
});
