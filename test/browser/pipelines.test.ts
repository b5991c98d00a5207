// @module-tag full
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { faults } from './axe-faults.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

test('a run is drawn as it stands, leads to its question and its work, and is cancelled', async () => {
  const page = await at.page('/pipelines');
  await page.getByText('There are no runs yet.').waitFor();
  await at.client.pipelines.run({
    source:
      'name: idea\nphases:\n  build: { run: "true" }\n  gate: { needs: build, approval: "Ship it?" }\n  ship: { needs: gate, run: "true" }',
    workspace: { path: at.folder() },
  });
  const run = page.getByRole('region', { name: 'idea' });
  await run.getByText('succeeded').waitFor();
  await run.getByRole('link', { name: 'build' }).waitFor();
  expect(await run.getByRole('listitem').filter({ hasText: 'ship' }).last().textContent()).toContain('waits');
  await run.getByRole('link', { name: 'waits for an answer' }).click();
  await page.getByText('Ship it?').first().waitFor();
  await page.goto(`${at.url}/pipelines`);
  await run.getByRole('button', { name: 'Cancel' }).click();
  await run.getByText('cancelled', { exact: true }).first().waitFor();
  expect(await run.getByRole('button').count()).toBe(0);
});

test('a pipeline is begun in the form: its file is read, must be approved, and says what it wants to be told', async () => {
  const folder = at.folder();
  const file = join(folder, 'ship.yaml');
  writeFileSync(file, 'phases:\n  ship: { run: "true", needs: build }\n');
  const page = await at.page('/pipelines');
  const form = page.getByRole('form', { name: 'Start a pipeline' });
  const field = form.getByRole('textbox', { name: 'File', exact: true });
  await field.fill('ship.yaml');
  await form.getByRole('button', { name: 'Read it' }).click();
  await form.getByText('Enter the file of the pipeline as an absolute path').waitFor();
  await field.fill(file);
  await form.getByRole('button', { name: 'Read it' }).click();
  await form.getByText('ship.yaml, line 2, column 31: There is no phase "build".').waitFor();

  writeFileSync(
    file,
    'name: ship\ninputs:\n  place: { required: true, description: Where to }\n  how: { default: fast }\nphases:\n  ship: { run: "echo $PLACE $HOW > shipped", env: { PLACE: "${{ inputs.place }}", HOW: "${{ inputs.how }}" } }\n',
  );
  await form.getByRole('button', { name: 'Read it' }).click();
  const approval = form.getByRole('region', { name: 'Commands that nobody has approved' });
  await approval.getByText('echo $PLACE $HOW').waitFor();
  await form.getByText('ship: one phase.').waitFor();
  expect(await form.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
  expect(await faults(page)).toEqual([]);
  const approve = approval.getByRole('button', { name: 'Approve this file' });
  // What is on the disk by now is not what was shown.
  const shown = readFileSync(file, 'utf8');
  writeFileSync(file, `${shown}  # later\n`);
  await approval.locator('button[aria-disabled="false"]').waitFor();
  await approve.click();
  await form.getByText(/have changed since you looked/).waitFor();
  expect((await at.client.projectCode(file)).approved).toBe(false);
  writeFileSync(file, shown);
  await form.getByRole('button', { name: 'Read it' }).click();
  await approval.locator('button[aria-disabled="false"]').waitFor();
  await approve.click();
  await form.getByText('Approved ship as it was shown.').waitFor();
  expect((await at.client.projectCode(file)).approved).toBe(true);
  await form.getByText('What is in the file').click();
  await form.getByRole('region', { name: 'The file' }).getByText('echo $PLACE $HOW').waitFor();
  expect(await form.getByLabel('Folder').inputValue()).toBe(folder);
  expect(await form.getByLabel('how').inputValue()).toBe('fast');
  await form.getByLabel('Where to').fill('the moon');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByText('Started ship.').waitFor();
  const run = page.getByRole('region', { name: 'ship', exact: true });
  await run.locator('.pipeline-state').getByText('succeeded').waitFor();
  expect(readFileSync(join(folder, 'shipped'), 'utf8')).toBe('the moon fast\n');
});

test('a file is approved only after all of it was on the screen, with what is hidden in it marked; not one that is too large', async () => {
  const folder = at.folder();
  const file = join(folder, 'long.yaml');
  const lines = Array.from({ length: 300 }, (_, n) => `      echo line ${n}`).join('\n');
  writeFileSync(file, `phases:\n  a:\n    run: |\n${lines}\n      echo hid\u202eden\n`);
  const page = await at.page('/pipelines');
  const form = page.getByRole('form', { name: 'Start a pipeline' });
  const field = form.getByRole('textbox', { name: 'File', exact: true });
  await field.fill(file);
  await form.getByRole('button', { name: 'Read it' }).click();
  const approval = form.getByRole('region', { name: 'Commands that nobody has approved' });
  const approve = approval.getByRole('button', { name: 'Approve this file' });
  await approval.getByText(/of 304 lines have not been on the screen yet/).waitFor();
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  // It says that it is disabled, and yet takes keys and clicks, to show what comes next.
  await approve.click({ force: true });
  expect((await at.client.projectCode(file)).approved).toBe(false);
  const more = approval.getByRole('button', { name: 'Show what comes next' });
  await waitUntil('all of it was on the screen', async () => {
    if ((await more.count()) === 0) return true;
    await more.click({ timeout: 2000 }).catch(() => {});
    return false;
  });
  await approval.locator('mark').getByText('⟨U+202E⟩').waitFor();
  await approval.locator('button[aria-disabled="false"]').waitFor();
  await approve.click();
  await form.getByText('Approved long as it was shown.').waitFor();
  expect((await at.client.projectCode(file)).approved).toBe(true);

  writeFileSync(file, `phases: { a: { run: "true" } }\n${'# more\n'.repeat(40_000)}`);
  await field.fill('');
  await field.fill(file);
  await form.getByRole('button', { name: 'Read it' }).click();
  await form.getByText('cannot be shown: it is larger than 262144 bytes.').waitFor();
  expect(await form.getByRole('button', { name: 'Approve this file' }).count()).toBe(0);
});

test('a skill is started from the box for new work', async () => {
  const folder = at.folder();
  mkdirSync(join(folder, 'skills'));
  writeFileSync(join(folder, 'skills', 'audit'), '#!/bin/sh\necho "audited: $(cat)"\n', { mode: 0o755 });
  const { skills } = await at.client.projectCode(folder);
  await at.client.approveProjectCode(folder, skills?.digest ?? '');
  const page = await at.page('/');
  const form = page.getByRole('form', { name: 'New work' });
  await form.getByLabel('Describe the work').fill('the login page');
  await form.getByLabel('Folder').fill(folder);
  await form.locator('datalist option[value="audit"]').waitFor({ state: 'attached' });
  await form.getByLabel('Skill').fill('skills/audit');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByText('A skill is named by its file in skills/, without the folder.').waitFor();
  await form.getByLabel('Skill').fill('audit');
  await form.getByRole('button', { name: 'Start' }).click();
  await form.getByRole('link', { name: 'Open the thread' }).click();
  await page.getByText('audited: the login page').first().waitFor();
});
