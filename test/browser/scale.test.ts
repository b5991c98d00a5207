// @module-tag full
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
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

/** What a page loads of scripts and styles, compressed, in bytes. */
async function loadedBy(page: Page, load: () => Promise<void>): Promise<number> {
  const files = new Set<string>();
  const note = (response: Response) => {
    if (/\.(js|css)$/.test(response.url())) files.add(response.url());
  };
  page.on('response', note);
  await load();
  page.off('response', note);
  // Asked for again: a page that was left meanwhile has forgotten what it loaded.
  const sizes = Array.from(
    files,
    async (file) => gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test('home loads at most 160 kB of compressed scripts and styles, a thread at most 260 kB', async () => {
  const home = await browser.browser.newPage();
  const ofHome = await loadedBy(home, async () => {
    await signIn(home, server.loginLink());
    await home.getByText('No work yet.').waitFor();
  });
  const { id } = server.host.addThread({ title: 'Weighed', lastSeq: 1 });
  server.host.append(id, ['one line']);
  const thread = await browser.browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(thread, server.loginLink());
  const ofThread = await loadedBy(thread, async () => {
    await thread.goto(`${server.url}/threads/${id}`);
    await thread.getByText('one line').waitFor();
  });
  expect(ofHome).toBeGreaterThan(10_000);
  expect(ofHome).toBeLessThanOrEqual(160_000);
  expect(ofThread).toBeLessThanOrEqual(260_000);
});

test('thousands of threads and prompts are lists of a few lines in the document', async () => {
  for (let count = 0; count < 3000; count += 1) {
    const { id } = server.host.addThread({ title: `Thread ${count}` });
    if (count % 3 === 0) server.host.addPrompt(id);
  }
  const page = await signedIn();
  await page.getByRole('heading', { name: /^At rest/ }).waitFor({ state: 'attached' });
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
