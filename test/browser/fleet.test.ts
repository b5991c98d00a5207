// @module-tag full
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open({ env: { HANDRAISE_SLOTS: '1' } });
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

test('the fleet shows agents over time, the queue, what it cost and the worker', async () => {
  const done = await at.work('[[text Done.]]', { title: 'Earlier work' });
  await at.thread(done.threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  await at.work('[[hang]]', { title: 'Long work' });
  await at.work('[[text Later.]]', { title: 'Waiting work' });
  const page = await at.page('/fleet');

  const agents = page.getByRole('region', { name: 'Agents over time' });
  const bar = agents.getByRole('img', { name: /^Earlier work: .*Working \d/ });
  await bar.waitFor();
  expect(await bar.locator('rect').count()).toBeGreaterThan(1);
  await page.getByRole('region', { name: 'Queue 1' }).getByText('Waiting work').waitFor();
  const day = new Date().toISOString().slice(0, 10);
  const costs = page.getByRole('region', { name: 'Cost per day' });
  expect(await costs.getByRole('row', { name: day }).innerText()).toMatch(/\$\d+\.\d\d/);
  await page.getByRole('region', { name: 'Cost per runtime' }).getByRole('row', { name: 'claude' }).waitFor();
  await page
    .getByRole('region', { name: 'Workers' })
    .getByText(/Running$/)
    .waitFor();
});

test('work is given in the box: runtime, folder, worktree, permissions and model', async () => {
  const page = await at.page();
  await page.keyboard.press('n');
  await page.keyboard.type('[[text Built.]]');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Enter the folder to work in').waitFor();
  const folder = at.folder();
  execFileSync('git', ['-C', folder, 'init', '-q', '-b', 'main']);
  execFileSync('git', [
    '-C',
    folder,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@t',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'Begin',
  ]);
  await page.getByLabel('Folder').fill(folder);
  await page.getByLabel('Permissions').selectOption('plans first');
  await page.getByLabel('Model').fill('opus');
  await page.getByLabel(/^Runtime/).selectOption('claude');
  await page.getByLabel('Use a separate git worktree').check();
  const sending = page.waitForRequest('**/api/v1/dispatches');
  await page.getByRole('button', { name: 'Start' }).click();
  expect((await sending).postDataJSON()).toEqual({
    text: '[[text Built.]]',
    runtime: 'claude',
    workspace: { path: folder, worktree: true },
    permissions: 'approval',
    posture: { permissionMode: 'plan', model: 'opus' },
  });
  await page.getByRole('link', { name: 'Open the thread' }).click();
  await page.getByRole('heading', { name: '[[text Built.]]' }).waitFor();
});

test('work is given to a container in the box, with the limits of the settings', async () => {
  const page = await at.page();
  await page.keyboard.press('n');
  await page.keyboard.type('[[text Contained.]]');
  await page.getByLabel('Folder').fill(at.folder());
  await page.getByLabel('Work in a container').check();
  const image = page.getByRole('textbox', { name: 'Image' });
  await image.fill('--privileged');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('An image is a name such as').waitFor();
  await image.fill('');
  const sending = page.waitForRequest('**/api/v1/dispatches');
  await page.getByRole('button', { name: 'Start' }).click();
  expect((await sending).postDataJSON()).toMatchObject({
    posture: {
      permissionMode: 'default',
      container: { image: 'handraise-claude', engine: 'docker', memory: '4g' },
    },
  });
});
