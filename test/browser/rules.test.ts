// @module-tag full
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/protocol/prompt.js';
import { faults } from './axe-faults.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => {
  await at.closePages();
  for (const { id } of await at.client.prompts.open()) await at.client.prompts.cancel(id);
});
afterAll(async () => await at[Symbol.asyncDispose]());

const isSettled = ({ acceptedAt }: Prompt) => acceptedAt !== undefined;
const running = (command: string) => `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Done.]]`;

async function asking(command: string, path: string): Promise<Prompt> {
  const { threadId } = await at.work(running(command), { workspace: { path } });
  return await at.asked(threadId);
}

const maker = (page: Page) => page.getByRole('region', { name: 'Make a rule' });

test('what "always" allows is printed before it is pressed', async () => {
  const prompt = await asking('touch here', at.folder());
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  const words =
    'Always makes this rule: in this thread the agent may run: touch here without asking, with exactly the input that you see and no other.';
  await page.getByText(words).waitFor();
  const always = page.getByRole('button', { name: /^Always in this thread/ });
  const described = (await always.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${described}"]`).innerText()).toBe(words);
});

test('a rule is made from an answer, tried, switched on, answers the next one, and is withdrawn', async () => {
  const folder = at.folder();
  const first = await asking('touch ruled', folder);
  const page = await at.page(`/prompts/${first.id}`);
  await steady(page);
  await page.getByText('Always makes this rule').waitFor();
  await page.keyboard.press('y');
  await at.prompt(first.id, isSettled);
  await page.getByRole('button', { name: 'Make a rule…' }).click();
  const form = maker(page);
  await form.getByLabel('Name of the rule').fill('Touch It');
  await form.getByRole('button', { name: 'Try it on what was answered' }).click();
  await form.getByText('A name has lower-case letters').waitFor();
  expect(await faults(page)).toEqual([]);
  await form.getByLabel('Name of the rule').fill('touch-it');
  expect(await form.getByLabel('Covers').count()).toBe(0);
  await form.getByRole('button', { name: 'Try it on what was answered' }).click();
  await form.getByText('1 the same, 0 different.').waitFor();
  expect(await at.client.rules.all()).toMatchObject([{ name: 'touch-it', version: 1, state: 'tested' }]);
  await form.getByRole('button', { name: 'Switch on', exact: true }).click();
  await form.getByText('touch-it@1').waitFor();
  await form.getByText(/ on · In .* it approves exactly this command: touch ruled\./).waitFor();

  const { threadId } = await at.work(running('touch ruled'), { workspace: { path: folder } });
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  const asked: Prompt[] = [];
  for await (const prompt of at.client.prompts.all({ thread: threadId })) asked.push(prompt);
  expect(asked).toMatchObject([{ actor: 'policy:touch-it@1', decision: { approved: true } }]);

  // In both themes the page with the rule is fit for everybody.
  for (const colorScheme of ['light', 'dark'] as const) {
    const settings = await at.page('/settings', { colorScheme });
    await settings.getByText('touch-it@1').waitFor();
    await settings.getByRole('img', { name: /^QR code/ }).waitFor();
    expect(await faults(settings), colorScheme).toEqual([]);
  }
  const settings = await at.page('/settings');
  await settings.getByRole('button', { name: 'Withdraw' }).click();
  await settings.getByText(/ withdrawn · /).waitFor();
  await asking('touch ruled', folder);
});

test('a rule that differs from recorded answers says from which, and is switched on only with that number', async () => {
  const folder = at.folder();
  for (const approved of [false, true]) {
    const { id } = await asking('touch twice', folder);
    await at.client.prompts.answer(id, { decision: { approved } });
    await at.prompt(id, isSettled);
  }
  const again = await asking('touch twice', folder);
  const page = await at.page(`/prompts/${again.id}`);
  await steady(page);
  const before = page.getByRole('list', { name: 'Answered before' }).getByRole('listitem');
  await before.filter({ hasText: 'Approve' }).getByRole('button', { name: 'Make a rule…' }).click();
  const form = maker(page);
  await form.getByLabel('Name of the rule').fill('twice');
  await form.getByRole('button', { name: 'Try it on what was answered' }).click();
  await form.getByText('1 the same, 1 different.').waitFor();
  await form.getByRole('list', { name: 'Where twice differs' }).getByText('Deny').waitFor();
  await form.getByRole('button', { name: 'Switch on although 1 differ' }).click();
  await form.getByText(/ on · In /).waitFor();
  expect(await at.client.rules.all({ name: 'twice' })).toMatchObject([{ state: 'on' }]);
});

test('a view is kept under a name, and everything that is listed is selected at once', async () => {
  const [red, blue] = [at.folder('red'), at.folder('blue')];
  for (const path of [red, red, blue]) {
    const { threadId } = await at.work('[[text Painted.]] paint it', { workspace: { path } });
    await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  }
  const page = await at.page(`/?workspace=${encodeURIComponent(red)}`);
  const rows = page.getByTestId('threads').getByRole('checkbox');
  await page.getByTestId('threads').getByRole('checkbox').nth(1).waitFor();
  expect(await rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name').fill('Red work');
  await page.getByRole('button', { name: 'Keep this view' }).click();
  await page.getByText('Kept Red work.').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.goto(at.url);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Red work', exact: true }).click();
  await page.waitForFunction("location.search.includes('red')");
  await page.getByRole('button', { name: 'Views' }).press('Escape');
  await rows.first().check();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: /^Select all 2/ }).click();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Shift+X');
  await page.getByText('2 selected').waitFor();
});
