// @module-tag full
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
/** A server of somebody else: whoever reaches it was made to. */
let elsewhere: Server;
let called: string[];
let trap: string;
beforeAll(async () => {
  at = await ConsoleStage.open();
  called = [];
  elsewhere = createServer((request, response) => {
    called.push(request.url ?? '');
    response.end('document.title = "owned"');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  trap = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterEach(async () => await at.closePages());
afterAll(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await at[Symbol.asyncDispose]();
});

const reordering = '\u202E';
const hostileText = () =>
  [
    `<script>window.owned = 1</script>`,
    `<img src=x onerror="window.owned = 2">`,
    `<svg onload="window.owned = 3"></svg>`,
    `<iframe src="${trap}/frame"></iframe>`,
    `<a href="javascript:window.owned = 4">raw</a>`,
    `[script link](javascript:window.owned%20=%205)`,
    `[data link](data:text/html,<script>window.owned=6</script>)`,
    `[own link](/api/v1/shutdown)`,
    `[vb link](vbscript:x)`,
    `<javascript:window.owned=7>`,
    `![picture](${trap}/pixel.png)`,
    `[web link](https://example.com/)`,
    `<style>body { display: none }</style>`,
    `<form action="${trap}/form"><input name="a"></form>`,
    `<meta http-equiv="refresh" content="0;url=${trap}/meta">`,
    `<link rel="stylesheet" href="${trap}/style.css">`,
    `rm -rf ${reordering}txt.\u001B[2K\u0007`,
  ].join('\n\n');

/** Every address that links inside an element lead to. */
async function links(page: Page, selector: string): Promise<string[]> {
  return await page
    .locator(`${selector} a`)
    .evaluateAll((found) => found.map((each) => each.getAttribute('href') ?? ''));
}

test('no script, style, frame or picture of an agent reaches the page, whichever way it is told', async () => {
  const command = `echo '<script>window.owned = 8</script>' ${reordering}hidden`;
  const options = [
    { label: '<b onclick="window.owned=9">A</b>', description: hostileText(), preview: hostileText() },
    { label: 'B', description: 'B' },
  ];
  const questions = [{ question: hostileText(), header: 'H', multiSelect: false, options }];
  const script = {
    replies: [
      {
        when: { prompt: 'hostile text', round: 0 },
        blocks: [{ think: hostileText() }, { text: hostileText() }, { tool: 'Bash', input: { command } }],
      },
      {
        when: { prompt: 'hostile text', round: 1 },
        blocks: [{ tool: 'AskUserQuestion', input: { questions } }],
      },
    ],
  };
  at.stage.simulator.setScript(script);
  const title = `<img src="${trap}/title.png" onerror="window.owned=10">${reordering}gnp`;
  const { threadId } = await at.work('hostile text', { title, permissions: 'autonomous' });
  const prompt = await at.asked(threadId);

  const page = await at.page();
  const broken: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(at.url) && !request.url().startsWith('data:')) broken.push(request.url());
  });
  page.on('dialog', (dialog) => broken.push(dialog.message()));
  page.on('pageerror', (error) => broken.push(error.message));
  await page.getByRole('link', { name: title.replace(reordering, '') }).waitFor();

  await page.goto(`${at.url}/prompts/${prompt.id}`);
  await page.getByLabel('Preview').waitFor();
  await page
    .getByText(/window.owned = 1</)
    .first()
    .waitFor();
  await page.goto(`${at.url}/threads/${threadId}`);
  const timeline = page.getByRole('log', { name: 'Timeline' });
  await timeline.locator('details.thinking summary').click();
  await timeline
    .getByRole('button', { name: /^● running Run|Run echo/ })
    .first()
    .click();
  await timeline.getByText(/contains \d+ hidden characters?: U\+/).waitFor();
  await timeline
    .getByText(/\[picture: picture\]/)
    .first()
    .waitFor();

  const outside = new Set(await links(page, '.markdown'));
  expect(outside).toEqual(new Set([`${trap}/pixel.png`, 'https://example.com/']));
  const relations = await page
    .locator('.markdown a')
    .evaluateAll((found) => found.map((each) => each.getAttribute('rel')));
  expect(new Set(relations)).toEqual(new Set(['noopener noreferrer nofollow']));
  // What was not made a link is clicked all the same.
  for (const words of ['script link', 'data link', 'own link', 'vb link'])
    await timeline.getByText(words, { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('region', { name: 'Events' }).getByText('hostile text').first().waitFor();

  const text = await page.locator('body').innerText();
  // oxlint-disable-next-line no-control-regex -- what a page must not show
  expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  expect({
    owned: await page.evaluate('window.owned'),
    title: await page.title(),
    elements: await page
      .locator(
        'main script, main style, main iframe, main img, main form[action*="http"], main link, main meta',
      )
      .count(),
    handlers: await page.locator('main [onerror], main [onload], main [onclick]').count(),
    called,
    broken,
  }).toEqual({ owned: undefined, title: '(1) Handraise', elements: 0, handlers: 0, called: [], broken: [] });
});

test('the policy of the server stops what would get through all the same', async () => {
  const page = await at.page();
  await page.evaluate((address) => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
    document.body.insertAdjacentHTML(
      'beforeend',
      `<img src="${address}/a.png"><p style="color: red" onclick="window.owned = 1">x</p><iframe src="${address}"></iframe>`,
    );
    const script = document.createElement('script');
    script.textContent = 'window.owned = 2';
    document.body.append(script);
    fetch(address).catch(() => {});
  }, trap);
  for (const directive of ['connect-src', 'frame-src', 'img-src', 'script-src-elem', 'style-src-attr'])
    await waitUntil(
      `${directive} is refused`,
      async () => (await page.evaluate(`window.refused.includes('${directive}')`)) === true,
    );
  expect([await page.evaluate('window.owned'), called]).toEqual([undefined, []]);
});
