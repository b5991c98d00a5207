import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/protocol/prompt.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

test('a browser without a session is told how to get one, and the link signs it in, once', async () => {
  const page = await at.strangerPage();
  await page.goto(at.url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const link = await at.run('token', 'link');

  await page.goto(link);
  await page.getByText('No work yet.').waitFor();
  expect(page.url()).toBe(`${at.url}/`);

  const other = await at.strangerPage();
  await other.goto(link);
  await other.getByText('This login link was already used or has expired.').waitFor();
});

test('work that failed says why, and is not done', { tags: ['full'] }, async () => {
  const folder = at.folder('no-git');
  await at.work('[[text Never.]]', { title: 'Build it', workspace: { path: folder, worktree: true } });
  const page = await at.page();
  await page.getByRole('heading', { name: 'Failed 1' }).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Build it' });
  await row.getByText(`${folder} has no git repository to create a worktree from`).waitFor();
  await row.getByRole('link', { name: 'Build it' }).click();
  await page.getByRole('log', { name: 'Timeline' }).getByText(`${folder} has no git repository`).waitFor();
});

test('work shows up live: working, then asking, then done', async () => {
  const page = await at.page();
  const { threadId } = await at.work('[[ask Which colour? | Red | Blue]] [[next]] [[text Painted.]]', {
    title: 'Paint the shed',
    workspace: { path: at.folder('shed') },
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Paint the shed' });

  await row.getByText(/Question$/).waitFor();
  expect(await row.innerText()).toContain('Which colour?');
  await page.getByRole('heading', { name: 'Needs you 1' }).waitFor();
  await page.getByRole('link', { name: 'Inbox 1' }).waitFor();
  expect(await page.title()).toBe('(1) Handraise');

  await at.client.prompts.answer((await at.asked(threadId)).id, { text: '1' });
  await row.getByText(/Ready to review$/).waitFor();
  await page.getByRole('heading', { name: 'Ready to review 1' }).waitFor();
  expect((await row.innerText()).split(/\n+/)).toEqual([
    'Ready to review',
    'Paint the shed',
    expect.any(String),
    'Claude',
    'shed',
    expect.stringMatching(/^(\$\d+\.\d\d|<\$0\.01|–)$/),
    expect.stringMatching(/^\d+ (s|min|h)$/),
  ]);
});

test('an agent that was started by hand is shown as observed, with what it asks, and goes', async () => {
  const page = await at.page();
  const said = { runtime: 'claude', title: 'By \u202ehand', workspace: '/work/shop', pid: 4711 } as const;
  const why = { why: 'it says so', source: 'test', confidence: 'strong' } as const;
  await at.client.observed.report('mine', { ...said, state: 'question', prompt: 'Which colour?', ...why });
  await page.getByRole('heading', { name: 'Started by hand 1' }).waitFor();
  const row = page.getByTestId('observed');
  await row.getByText('Question').waitFor();
  expect((await row.innerText()).split(/\n+/)).toEqual([
    'Question',
    'By hand',
    '“Which colour?”',
    'Claude · observed',
    'shop',
    'pid 4711',
    expect.any(String),
  ]);
  await at.client.observed.report('mine', { ...said, state: 'idle', ...why, confidence: 'weak' });
  await row.getByText('it says so (a guess)').waitFor();
  await at.client.observed.forget('mine');
  await row.waitFor({ state: 'detached' });
});

const isUsed = ({ consumedAt }: Prompt) => consumedAt !== undefined;
const bash = (command: string) => `[[tool Bash ${JSON.stringify({ command })}]]`;

/** What is shown counts only once it has been there for a moment. */
const steady = async (page: Page) => await page.locator('.row-answer[aria-busy="false"]').waitFor();

test('a question is answered in its row, for every thread that asks the same', {
  tags: ['full'],
}, async () => {
  const threads = await Promise.all(
    ['shop', 'admin'].map((title) => at.work('[[ask Which tone? | Plain | Warm]]', { title })),
  );
  const prompts = await Promise.all(threads.map(({ threadId }) => at.asked(threadId)));
  const page = await at.page();
  const rows = page.getByRole('listitem').filter({ hasText: 'same in 2' });
  await rows.nth(1).waitFor();
  const answer = rows.first().getByRole('button', { name: /^Answer / });
  await page.keyboard.press('j');
  await page.keyboard.press(' ');
  await steady(page);
  expect(await answer.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press(' ');
  await page.locator('.row-answer').waitFor({ state: 'detached' });

  // Opened by a finger: its keys are for the answer all the same.
  await answer.click();
  await steady(page);
  await page.keyboard.press('t');
  await page.getByRole('list', { name: 'Answered together' }).waitFor();
  await steady(page);
  await page.keyboard.press('2');
  const settled = await Promise.all(prompts.map(({ id }) => at.prompt(id, isUsed)));
  expect(settled.map(({ answers }) => answers?.[0]?.answer)).toEqual([['Warm'], ['Warm']]);
  await page.locator('.row-answer').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/');
});

test('several options are ticked in a row and sent with Enter, however the row was opened', {
  tags: ['full'],
}, async () => {
  const options = ['Unit', 'Browser', 'Load'].map((label) => ({ label, description: `${label} tests` }));
  const questions = [{ question: 'Which tests?', header: 'Tests', multiSelect: true, options }];
  const text = `[[tool AskUserQuestion ${JSON.stringify({ questions })}]] [[next]] [[text Thanks.]]`;
  for (const opened of ['button', 'key'] as const) {
    const { threadId } = await at.work(text, { title: `By ${opened}` });
    const { id } = await at.asked(threadId);
    const page = await at.page(`/?search=By+${opened}`);
    const button = page.getByRole('button', { name: `Answer By ${opened}` });
    await button.waitFor();
    if (opened === 'button') await button.click();
    else {
      await page.keyboard.press('j');
      await page.keyboard.press(' ');
    }
    await steady(page);
    await page.keyboard.press('1');
    await page.keyboard.press('3');
    await page.keyboard.press('Enter');
    expect((await at.prompt(id, isUsed)).answers?.[0]?.answer).toEqual(['Unit', 'Load']);
  }
});

test('an action is approved in its row only where all of it stands there', { tags: ['full'] }, async () => {
  const long = await at.work(bash('touch made\n'.repeat(30)), { title: 'Long' });
  const longPrompt = await at.asked(long.threadId);
  const short = await at.work(bash('echo yes > made'), { title: 'Short' });
  const shortPrompt = await at.asked(short.threadId);
  const page = await at.page();
  const row = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await row('Short').getByRole('button', { name: 'Answer Short' }).click();
  const answer = page.getByRole('region', { name: 'Answer Short' });
  await answer.getByRole('heading', { name: 'Claude asks to run: echo yes > made' }).waitFor();
  await steady(page);
  await page.keyboard.press('y');
  expect((await at.prompt(shortPrompt.id, isUsed)).answers?.[0]?.answer).toEqual(['Approve']);

  await row('Long').getByText('Approval').waitFor();
  expect(
    await row('Long')
      .getByRole('button', { name: /^Answer/ })
      .count(),
  ).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press(' ');
  await page.waitForURL(`**/prompts/${longPrompt.id}`);
});

test('what is not on the screen is not approved, in a row either', { tags: ['full'] }, async () => {
  const command = Array.from({ length: 8 }, (_, line) => `touch made-${line}`).join('\n');
  const { threadId } = await at.work(bash(command), { title: 'Cut off' });
  const { id } = await at.asked(threadId);
  const page = await at.page('/?search=Cut+off', { viewport: { width: 800, height: 330 } });
  await page.getByRole('button', { name: 'Answer Cut off' }).click();
  await steady(page);
  const approve = page.getByRole('button', { name: /^Approve/ });
  await page.locator('.unread').waitFor();
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('y');
  expect((await at.client.prompts.get(id)).acceptedAt).toBeUndefined();
  await page.getByTestId('threads').evaluate(async (list) => {
    for (let top = 0; top < list.scrollHeight; top += 40) {
      list.scrollTo(0, top);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    }
  });
  await page.locator('.unread').waitFor({ state: 'detached' });
  await page.keyboard.press('y');
  expect((await at.prompt(id, isUsed)).answers?.[0]?.answer).toEqual(['Approve']);
});
