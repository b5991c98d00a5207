// @module-tag full
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

test('a schedule is added, run, paused, resumed and removed, and its history says what became of it', async () => {
  const page = await at.page('/schedules');
  const form = page.getByRole('form', { name: 'New schedule' });
  const add = form.getByRole('button', { name: 'Add schedule' });
  await page.getByText('There are no schedules yet.').waitFor();

  await form.getByLabel(/^When/).fill('every blue moon');
  await form.getByLabel('Folder').fill(at.folder());
  await form.getByRole('textbox', { name: 'Work' }).fill('[[text Watered.]] water the plants');
  await add.click();
  await form.getByText('Choose what becomes of questions that nobody answers').waitFor();
  await form.getByLabel('Questions that nobody answers').selectOption('wait for me');
  await form.getByLabel('Budget for each time').fill('5');
  await form.getByLabel('Seconds it may start later').fill('an hour');
  await add.click();
  await form.getByText('Say by how many seconds it may start later, from 0 to 3600.').waitFor();
  await form.getByLabel('Seconds it may start later').fill('60');
  await add.click();
  await form.getByText(/says no times that are understood/).waitFor();
  await form.getByLabel(/^When/).fill('every weekday 7:00');
  await add.click();

  const schedule = page.getByRole('region', { name: /water/ });
  await schedule
    .getByText(/every weekday 7:00 .* next: .*07:0\d · up to 60 s later · questions wait for a person/)
    .waitFor();
  await schedule.getByRole('button', { name: 'Run now' }).click();
  await schedule.getByText('Last: succeeded').waitFor();
  await schedule.getByRole('button', { name: 'History' }).click();
  await schedule
    .getByRole('row', { name: /by hand/ })
    .getByRole('link', { name: 'succeeded' })
    .waitFor();
  await schedule.getByRole('button', { name: 'Pause' }).click();
  await schedule.getByText(/next: paused/).waitFor();
  await schedule.getByRole('button', { name: 'Resume' }).click();
  await schedule.getByText(/next: .*07:0\d/).waitFor();
  await schedule.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('There are no schedules yet.').waitFor();
  expect(await page.getByRole('region').count()).toBe(0);
});
