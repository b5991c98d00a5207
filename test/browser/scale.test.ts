// @module-tag full
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../http/test-server.js';
import { type OpenedBrowser, openBrowser } from './browser.js';
import { signIn } from './console-stage.js';

let server: TestServer;
let browser: OpenedBrowser;
beforeAll(async () => {
  [server, browser] = await Promise.all([openTestServer(), openBrowser()]);
});
afterEach(async () => await Promise.all(browser.browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const mostElements = 1500;
const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

async function signedIn(): Promise<Page> {
  const page = await browser.browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(5 * 60_000);
  await signIn(page, server.loginLink());
  return page;
}

test('the home page loads less than 250 kB of compressed script', async () => {
  const loaded: number[] = [];
  const page = await browser.browser.newPage();
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) loaded.push(gzipSync(await response.body()).length);
  });
  await signIn(page, server.loginLink());
  await page.getByText('No work yet.').waitFor();
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});

test('thousands of threads and prompts are lists of a few lines in the document', async () => {
  for (let count = 0; count < 3000; count += 1) {
    const { id } = server.host.addThread({ title: `Thread ${count}` });
    if (count % 3 === 0) server.host.addPrompt(id);
  }
  const page = await signedIn();
  await page.getByText('Done').last().waitFor();
  await page.getByRole('link', { name: 'Thread 2999' }).waitFor();
  expect(await elements(page)).toBeLessThan(mostElements);
  await page.getByTestId('threads').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.getByRole('link', { name: 'Thread 0', exact: true }).waitFor();
  expect(await elements(page)).toBeLessThan(mostElements);
  await page.goto(`${server.url}/inbox`);
  await page.getByText('1000 open').waitFor();
  expect(await elements(page)).toBeLessThan(mostElements);
});

test('a thread of twenty thousand events is a few lines in the document, from its end to its beginning', async () => {
  const { id } = server.host.addThread({ title: 'Long', lastSeq: 20_000 });
  server.host.append(
    id,
    Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`),
  );
  const page = await signedIn();
  await page.goto(`${server.url}/threads/${id}`);
  await page.getByText('line 20000').waitFor();
  expect(await elements(page)).toBeLessThan(mostElements);
  const timeline = page.getByTestId('timeline');
  await page.getByRole('button', { name: 'Load 19400 earlier events' }).waitFor({ state: 'attached' });
  while (
    !(await page
      .getByText('line 1', { exact: false })
      .filter({ hasText: /line 1$/ })
      .isVisible())
  ) {
    await timeline.evaluate((list) => list.scrollTo(0, 0));
    expect(await elements(page)).toBeLessThan(mostElements);
  }
  await page.keyboard.press('l');
  await page.getByText('line 20000').waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByText('"message":"line 1"').waitFor();
  expect(await elements(page)).toBeLessThan(mostElements);
});
