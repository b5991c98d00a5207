// @module-tag full
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PromptId, ThreadId } from '../../src/protocol/id.js';
import { faults } from './axe-faults.js';
import { ConsoleStage } from './console-stage.js';

const schemes = ['light', 'dark'] as const;

let at: ConsoleStage;
let thread: ThreadId;
let approval: PromptId;
let question: PromptId;
beforeAll(async () => {
  at = await ConsoleStage.open();
  const path = at.folder();
  execFileSync('git', ['-C', path, 'init', '-q', '-b', 'main']);
  writeFileSync(join(path, 'a.txt'), 'one\n');
  const options = ['Grid', 'List'].map((label) => ({ label, description: label, preview: `+--${label}--+` }));
  const questions = [{ question: 'Which layout?', header: 'H', multiSelect: false, options }];
  const text =
    '[[think Hm.]] [[text A [link](https://example.com), `code` and\n\n| a | b |\n|---|---|\n| 1 | 2 |]] [[tool Bash {"command":"false"}]] [[next]] [[text Done.]]';
  const works = await Promise.all([
    at.work(text, { permissions: 'autonomous', workspace: { path } }),
    at.work('[[tool Write {"file_path":"b.txt","content":"two\\n"}]]'),
    at.work(`[[tool AskUserQuestion ${JSON.stringify({ questions })}]]`),
  ]);
  const [done, acting, asking] = works.map(({ threadId }) => threadId);
  if (!done || !acting || !asking) throw new Error('unreachable');
  thread = done;
  await at.thread(done, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  // What was there when the work began is no change of its.
  writeFileSync(join(path, 'a.txt'), 'two\n');
  approval = (await at.asked(acting)).id;
  question = (await at.asked(asking)).id;
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

test('the skip link moves the focus to the content, and loads nothing again', async () => {
  const page = await at.page('/inbox');
  await page.evaluate('window.isSamePage = true');
  await page.locator('a.skip').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement?.id === 'content'");
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/inbox');
});

test.each(schemes)('every page passes axe, %s', async (colorScheme) => {
  const stranger = await at.strangerPage({ colorScheme });
  await stranger.goto(at.url);
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await faults(stranger)).toEqual([]);

  const page = await at.page('/', { colorScheme });
  await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Folder').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check();
  await page.getByRole('region', { name: 'Selected threads' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('a');
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  for (const [path, isThere] of [
    [`/prompts/${approval}`, page.getByRole('button', { name: /^Approve/ }).first()],
    [`/prompts/${question}`, page.getByLabel('Preview')],
    ['/fleet', page.getByText(/Running$/)],
    ['/pipelines', page.getByRole('form', { name: 'Start a pipeline' })],
    [`/threads/${thread}`, page.getByRole('table')],
  ] as const) {
    await page.goto(`${at.url}${path}`);
    await isThere.waitFor();
    expect(await faults(page)).toEqual([]);
  }
  await page.getByRole('button', { name: /Bash false/ }).click();
  await page.locator('details.thinking summary').click();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'More actions' }).click();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.evaluate("document.documentElement.dataset.theme = 'classic'");
  expect(await faults(page)).toEqual([]);
  // A window of this size at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('dialog', { name: 'Details' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('tab', { name: 'Review' }).click();
  for (const layout of ['Split', 'Unified']) {
    await page.getByRole('button', { name: layout }).click();
    await page.getByRole('button', { name: 'Comment on line 1', exact: true }).click();
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill(`${layout}, ${colorScheme}`);
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText(`${layout}, ${colorScheme}`).waitFor();
    expect(await faults(page)).toEqual([]);
  }
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('region', { name: 'Events' }).waitFor();
  expect(await faults(page)).toEqual([]);
});

test('no page is wider than a phone', async () => {
  const page = await at.page('/', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  for (const path of ['/', '/inbox', `/prompts/${question}`, `/threads/${thread}`, '/fleet', '/pipelines']) {
    await page.goto(`${at.url}${path}`);
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
  }
  await page.goto(`${at.url}/threads/${thread}`);
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Comment on line 1', exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('everything is reached with keys alone', async () => {
  const page = await at.page();
  await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });

  await page.keyboard.press('/');
  await page.keyboard.type('no such thread');
  await page.getByText('No work matches these filters.').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/prompts/*');
  await page.getByRole('article', { name: 'Question or approval' }).waitFor();
  await page.keyboard.press('o');
  await page.waitForURL('**/threads/*');
  for (const [keys, place] of [
    ['gi', '**/inbox'],
    ['gf', '**/fleet'],
    ['gh', `${at.url}/`],
  ] as const) {
    await page.keyboard.type(keys);
    await page.waitForURL(place);
  }
});
