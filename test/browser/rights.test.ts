// @module-tag full
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConsoleStage, signIn } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const bash = '[[tool Bash {"command":"touch made"}]] [[next]] [[text Done.]]';

/** A page of somebody with these scopes, at a path. */
async function pageOf(name: string, scopes: string, path: string) {
  const token = await at.run('token', 'add', name, '--scope', scopes);
  const page = await at.strangerPage();
  const rights = page.waitForResponse((response) => response.url().endsWith('/console-settings'));
  await signIn(page, await at.clientOf(token).loginLink());
  await rights;
  if (path !== '/') await page.goto(`${at.url}${path}`);
  return page;
}

test('somebody who may only read sees the work and the question, and nothing to press', async () => {
  const { threadId } = await at.work(bash, { permissions: 'approval' });
  const prompt = await at.asked(threadId);
  const page = await pageOf('reader', 'read', `/threads/${threadId}`);
  await page.getByText('your access does not have the scope approve').first().waitFor();
  await expect.poll(() => page.getByLabel('Message to the agent').count()).toBe(0);
  const names = ['Approve', 'Deny', 'Leave unanswered', 'Interrupt', 'Send', 'More actions'];
  for (const name of names)
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  await page.goto(at.url);
  await page.getByRole('heading', { name: 'Home' }).waitFor({ state: 'attached' });
  await expect.poll(() => page.getByRole('form', { name: 'New work' }).count()).toBe(0);
  expect((await at.client.prompts.get(prompt.id)).state).toBe('pending');
});

test('somebody who may approve does so, under their own name', async () => {
  const { threadId } = await at.work(bash, { permissions: 'approval' });
  const prompt = await at.asked(threadId);
  const page = await pageOf('lead', 'approve', `/prompts/${prompt.id}`);
  await page.locator('.prompt-foot[aria-busy="false"]').waitFor();
  await page.getByRole('button', { name: 'Approve' }).first().click();
  const settled = await at.prompt(prompt.id, ({ consumedAt }) => consumedAt !== undefined);
  expect(settled.actor).toBe('user:lead');
});
