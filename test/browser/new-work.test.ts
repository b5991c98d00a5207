// @module-tag full
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { faults } from './axe-faults.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

/** The box for new work, with its choices shown and the runtimes known. */
async function openBox(page: Page) {
  const form = page.getByRole('form', { name: 'New work' });
  await form.getByLabel('Describe the work').click();
  await form.locator('option[value="exec"]').waitFor({ state: 'attached' });
  return form;
}

const optionsOf = async (form: Awaited<ReturnType<typeof openBox>>, label: string) =>
  await form.getByLabel(label).locator('option').allTextContents();

test('the box offers what the runtime can do, and a command of any kind works from it', async () => {
  const page = await at.page('/');
  const form = await openBox(page);
  expect(await optionsOf(form, 'Permissions')).toEqual([
    'asks before it acts',
    'edits freely, asks for the rest',
    'plans first',
    'does everything',
    'never asks; what needs approval is denied',
  ]);
  await form.getByLabel('Model').fill('opus');

  await form.getByLabel('Runtime').selectOption('exec');
  await form.getByText('exec cannot ask before it acts: it does everything at once.').waitFor();
  expect(await optionsOf(form, 'Permissions')).toEqual(['does everything']);
  expect(await form.getByLabel('Model').count()).toBe(0);
  expect(await form.getByLabel('Tools').count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  await form.getByLabel('Describe the work').fill('the moon');
  await form.getByLabel('Folder').fill(at.folder());
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByText('Enter the command to start').waitFor();
  await form.getByLabel('Command').fill('echo reached {model}');
  expect(await form.getByLabel('Model').inputValue()).toBe('opus');
  await form.getByLabel('Command').fill('echo reached {prompt}');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByRole('link', { name: 'Open the thread' }).click();
  await page.getByText('reached the moon').first().waitFor();
});

test('models are picked from the list of an agent that is there, and kept for when none is', async () => {
  const { threadId } = await at.work('[[text Here.]] be there');
  await at.thread(threadId, ({ status }) => status.state === 'idle');
  const models = await at.client.threads.models(threadId);
  const [first] = models;
  if (!first) throw new Error('The agent lists its models.');
  const page = await at.page('/');
  const form = await openBox(page);
  const listed = form.locator(`datalist option[value="${first.id}"]`);
  await listed.waitFor({ state: 'attached' });
  await at.client.threads.stop(threadId);
  await at.thread(threadId, ({ status }) => status.state !== 'idle');
  await page.reload();
  await openBox(page);
  await listed.waitFor({ state: 'attached' });
});

test('work is saved with a blank, taken up again, and started once the blank is filled in', async () => {
  const page = await at.page('/');
  const form = await openBox(page);
  const text = form.getByLabel('Describe the work');
  await text.fill('[[text Mended.]] mend {{ticket}} today');
  await form.getByLabel('Folder').fill(at.folder());
  await form.getByLabel('Permissions').selectOption('does everything');
  await form.getByRole('button', { name: 'Saved work' }).click();
  await form.getByLabel('Name').fill('Mend a ticket');
  await form.getByLabel('Name').press('Enter');
  await form.getByText('Kept Mend a ticket.').waitFor();
  await text.fill('');
  await page.reload();
  await openBox(page);
  await form.getByRole('button', { name: 'Saved work' }).click();
  expect(await faults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Mend a ticket', exact: true }).click();
  expect(await form.getByLabel('Permissions').inputValue()).toBe('all');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByText('Fill in {{ticket}} first.').waitFor();
  await form.getByRole('button', { name: 'Saved work' }).click();
  await form.getByRole('button', { name: 'Mend a ticket', exact: true }).click();
  // The blank is chosen: what is typed takes its place.
  await page.waitForFunction(
    "(() => { const field = document.activeElement; return field instanceof HTMLTextAreaElement && field.value.slice(field.selectionStart, field.selectionEnd) === '{{ticket}}'; })()",
  );
  await page.keyboard.type('HR-7');
  expect(await text.inputValue()).toBe('[[text Mended.]] mend HR-7 today');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByRole('link', { name: 'Open the thread' }).click();
  await page.getByText('Mended.', { exact: true }).first().waitFor();
});

test('the same box makes a schedule', async () => {
  const page = await at.page('/');
  const form = await openBox(page);
  await form.getByLabel('Describe the work').fill('[[text Watered.]] water the plants');
  await form.getByLabel('Folder').fill(at.folder());
  await form.getByLabel('On a schedule').check();
  await form.getByLabel(/^When/).fill('every weekday 7:00');
  const add = form.getByRole('button', { name: 'Add schedule' });
  await add.click();
  await form.getByText('Choose what becomes of questions that nobody answers').waitFor();
  expect(await faults(page)).toEqual([]);
  await form.getByLabel('Questions that nobody answers').selectOption('wait for me');
  await form.getByLabel('Budget', { exact: true }).fill('5');
  await add.click();
  await form.getByRole('link', { name: 'Open schedules' }).click();
  await page
    .getByRole('region', { name: /water/ })
    .getByText(/every weekday 7:00/)
    .waitFor();
  const [schedule] = await at.client.schedules.all();
  expect(schedule).toMatchObject({
    when: 'every weekday 7:00',
    unanswered: 'wait',
    work: { budget: { usd: 5 } },
  });
});
