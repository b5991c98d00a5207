// @module-tag full
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConsoleStage, signIn } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

/** Lets every sign-in be thirteen hours old. */
async function expireSignIns(): Promise<void> {
  await at.stop();
  const file = join(at.home, 'sessions.json');
  const { sessions } = JSON.parse(readFileSync(file, 'utf8')) as { sessions: [string, { usedAt: number }][] };
  for (const [, session] of sessions) session.usedAt -= 13 * 3_600_000;
  writeFileSync(file, JSON.stringify({ sessions }));
  await at.start();
}

/** A thread's page on which somebody has begun to write. */
async function pageWithDraft(text: string): Promise<{ page: Page; path: string }> {
  const { threadId } = await at.work('[[text Ready.]]');
  const path = `/threads/${threadId}`;
  const page = await at.page(path);
  await page.getByLabel('Message to the agent').fill(text);
  return { page, path };
}

test('a sign-in outlives the browser and the worker, and is no cookie', async () => {
  const first = await at.page();
  expect(await first.context().cookies()).toEqual([]);
  const kept = await first.context().storageState();
  await at.closePages();
  await at.stop();
  await at.start();

  const second = await at.strangerPage({ storageState: kept });
  await second.goto(at.url);
  await second.getByRole('link', { name: 'Fleet' }).click();
  await second.getByRole('heading', { name: 'Workers' }).waitFor();
});

test('an expired sign-in says so; a pasted link goes on with what was typed', async () => {
  const { page, path } = await pageWithDraft('[[text Continued.]]');
  await expireSignIns();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByText('Your sign-in has ended.').waitFor();
  await dialog.getByText('handraise token link').waitFor();

  await dialog.getByLabel('Login link').fill('http://127.0.0.1/#login=wrong');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('This login link was already used or has expired.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Login link').fill(await at.client.loginLink());
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });

  expect(new URL(page.url()).pathname).toBe(path);
  expect(await page.getByLabel('Message to the agent').inputValue()).toBe('[[text Continued.]]');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Continued.', { exact: true }).waitFor();
});

test('a link that is opened in another tab lets the first one go on', async () => {
  const { page } = await pageWithDraft('not sent yet');
  await expireSignIns();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  const other = await page.context().newPage();
  await signIn(other, await at.client.loginLink());
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Message to the agent').inputValue()).toBe('not sent yet');
});

test('a link in the address bar of the same tab comes back to the page and to what was typed', async () => {
  const { page, path } = await pageWithDraft('half a sentence');
  await expireSignIns();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await signIn(page, await at.client.loginLink());
  await page.waitForURL(`${at.url}${path}`);
  expect(await page.getByLabel('Message to the agent').inputValue()).toBe('half a sentence');
});

test('whoever is asked to sign in comes to the page that was asked for', async () => {
  const { threadId } = await at.work('[[text Wanted.]]');
  const page = await at.strangerPage();
  await page.goto(`${at.url}/threads/${threadId}`);
  await page.getByText('This browser is not signed in.').waitFor();
  const other = await page.context().newPage();
  await signIn(other, await at.client.loginLink());
  await other.waitForURL(`${at.url}/threads/${threadId}`);
  // The page that asked goes on by itself.
  await page.getByText('Wanted.', { exact: true }).waitFor();
});

test('a token that was replaced ends the sign-ins that came from it', async () => {
  const page = await at.page();
  await at.run('token', 'rotate');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your sign-in has ended.').waitFor();
});
