import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
