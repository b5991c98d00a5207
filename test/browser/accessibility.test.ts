// @module-tag full
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PromptId, ThreadId } from '../../src/protocol/id.js';
import { faults } from './axe-faults.js';
import { ConsoleStage } from './console-stage.js';

const schemes = ['light', 'dark'] as const;

let at: ConsoleStage;
let thread: ThreadId;
let acting: ThreadId;
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
  const [done, writing, asking] = works.map(({ threadId }) => threadId);
  if (!done || !writing || !asking) throw new Error('unreachable');
  thread = done;
  acting = writing;
  await at.thread(done, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  // What was there when the work began is no change of its.
  writeFileSync(join(path, 'a.txt'), 'two\n');
  approval = (await at.asked(writing)).id;
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
    .getByRole('button', { name: /^Answer / })
    .first()
    .click();
  await page.getByRole('group', { name: 'Decision' }).waitFor();
  expect(await faults(page)).toEqual([]);
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
  await page.getByRole('button', { name: /Run false/ }).click();
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

test('every view in every theme passes axe, keeps to the policy, moves nothing for who wants none, and has room at 200 %', async () => {
  const page = await at.page('/', { reducedMotion: 'reduce' });
  const refused: string[] = [];
  await page.exposeFunction('noteRefusal', (what: string) => refused.push(what));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      // @ts-expect-error -- exposed above
      window.noteRefusal(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    ),
  );
  const views: readonly (readonly [string, string?])[] = [
    ['/'],
    ['/?group=archived'],
    ['/inbox'],
    [`/prompts/${approval}`],
    [`/prompts/${question}`],
    [`/threads/${thread}`],
    [`/threads/${thread}`, 'Review'],
    [`/threads/${thread}`, 'Events'],
    [`/threads/${acting}`],
    ['/schedules'],
    ['/pipelines'],
    ['/fleet'],
    ['/settings'],
  ];
  for (const [path, tab] of views) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${at.url}${path}`);
    await page.locator('main h1, main h2').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
    for (const [theme, colorScheme] of [
      ['light', 'light'],
      ['dark', 'dark'],
      ['classic', 'light'],
      ['classic', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme);
      expect([path, tab, theme, colorScheme, await faults(page)]).toEqual([
        path,
        tab,
        theme,
        colorScheme,
        [],
      ]);
    }
    expect([path, await page.evaluate(() => document.getAnimations().length)]).toEqual([path, 0]);
    // A window of 1440 at 200 %.
    await page.setViewportSize({ width: 720, height: 450 });
    expect([path, tab, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
      path,
      tab,
      720,
    ]);
  }
  // Zod asks once, when it is loaded, whether it may compile; it is refused, and does without.
  expect(refused.filter((what) => !what.startsWith('script-src eval '))).toEqual([]);
});

test('single keys can be switched off, and on again', async () => {
  const page = await at.page('/settings');
  const choice = page.getByRole('checkbox', { name: /^Single keys/ });
  const openThread = async () => {
    await page.goto(`${at.url}/prompts/${approval}`);
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    await page.keyboard.press('o');
  };
  await choice.uncheck();
  await openThread();
  // What is pressed together with Ctrl still acts, and comes after it.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/prompts/${approval}`);
  await page.goto(`${at.url}/settings`);
  expect(await choice.isChecked()).toBe(false);
  await choice.check();
  await openThread();
  await page.waitForURL(`**/threads/${acting}`);
});

/** Fields whose letters are so small that a phone enlarges the page to type there. */
async function smallFields(page: Page): Promise<string[]> {
  return await page
    .locator('input:not([type=checkbox], [type=radio]), select, textarea')
    .evaluateAll((fields) =>
      fields
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML),
    );
}

test('no page is wider than a phone, and each field has the letters that it needs', async () => {
  const page = await at.page('/', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const paths = ['/', '/inbox', `/prompts/${question}`, `/threads/${thread}`, `/threads/${acting}`];
  for (const path of [...paths, '/fleet', '/pipelines', '/schedules', '/settings']) {
    await page.goto(`${at.url}${path}`);
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
    expect([path, await smallFields(page)]).toEqual([path, []]);
  }
  await page.goto(at.url);
  await page.getByPlaceholder('Describe the work').click();
  await page.getByLabel('Folder').waitFor();
  expect(await smallFields(page)).toEqual([]);
  await page.goto(`${at.url}/threads/${thread}`);
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Comment on line 1', exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('nothing in the head of a page lies over something else, at every width that is laid out anew', async () => {
  const page = await at.page();
  await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
  for (const width of [721, 820, 860, 861, 980, 981, 1180, 1181, 1360, 1361]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = await page
      .locator('.top .brand, .top nav a, .top-tools > *')
      .evaluateAll((elements) =>
        elements.map((element) => element.getBoundingClientRect()).filter((box) => box.width > 0),
      );
    const ends = boxes.map(({ right }) => Math.floor(right));
    const covered = boxes.filter(({ left }, index) => left < (ends[index - 1] ?? 0));
    expect({ width, covered, isCut: Math.max(...ends) > width }).toEqual({
      width,
      covered: [],
      isCut: false,
    });
    expect(boxes.length).toBeGreaterThan(8);
  }
});

test('the keys are listed from their head, not from their end', async () => {
  const page = await at.page();
  await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  expect(await help.evaluate((element) => element.scrollTop)).toBe(0);
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
    ['gi', '**/inbox'],
    // New work is one key from everywhere, with the field ready.
    ['n', `${at.url}/`],
  ] as const) {
    await page.keyboard.type(keys);
    await page.waitForURL(place);
  }
  await page.locator('textarea:focus').waitFor();
});
