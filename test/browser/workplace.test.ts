// @module-tag full
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ThreadId } from '../../src/protocol/id.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const autonomous = { permissions: 'autonomous' } as const;
const wide = { viewport: { width: 1440, height: 900 } };

async function ended(threadId: ThreadId): Promise<void> {
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
}

function repository(name: string): string {
  const path = at.folder(name);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}

const call = (tool: string, input: object) => `[[tool ${tool} ${JSON.stringify(input)}]] [[next]]`;

test('threads, timeline and details stand beside each other, and the details are a drawer where there is no room', async () => {
  const path = repository('panes');
  const inner = '<<tool Bash {"command":"echo inside"}>> <<next>> <<text The **answer** is inside.>>';
  const { threadId } = await at.work(
    [
      call('TaskCreate', { subject: 'Look', description: 'Look around', activeForm: 'Looking' }),
      call('TaskCreate', { subject: 'Leap', description: 'Leap far' }),
      call('TaskUpdate', { taskId: '1', status: 'completed' }),
      call('Agent', { description: 'Look inside', prompt: inner, run_in_background: false }),
      call('Write', { file_path: join(path, 'made.txt'), content: 'one\ntwo\n' }),
      '[[text Made.]]',
    ].join(' '),
    // Newer models have no tools for a to-do list.
    { ...autonomous, title: 'Fill the panes', workspace: { path }, posture: { model: 'claude-sonnet-4-5' } },
  );
  await ended(threadId);
  const asking = await at.work('[[ask Which pane? | left | right]]', { title: 'Ask beside it' });
  await at.asked(asking.threadId);

  const page = await at.page(`/threads/${threadId}`, wide);
  const rail = page.getByRole('navigation', { name: 'Threads' });
  await rail.getByRole('heading', { name: 'Needs you 1' }).waitFor();
  expect(await rail.getByRole('heading').first().innerText()).toMatch(/^Needs you/);
  await rail.getByRole('link', { name: /Ask beside it[^]*Which pane\?/ }).waitFor();
  expect(await rail.locator('[aria-current="page"]').innerText()).toContain('Fill the panes');

  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('heading', { name: 'To do 1 of 2' }).waitFor();
  await details.getByRole('listitem').filter({ hasText: 'not begun: Leap' }).waitFor();
  await details.getByRole('heading', { name: 'Sub-agents 1' }).waitFor();
  await details.getByText('Look inside').click();
  await details.locator('strong', { hasText: 'answer' }).waitFor();
  await details.getByRole('button', { name: /added: made\.txt \+2/ }).waitFor();
  await details.getByRole('heading', { name: 'Usage and budget' }).waitFor();
  expect(await page.locator('.entry-time').first().innerText()).toMatch(/^\d\d:\d\d$/);
  // The headers have one line each.
  expect((await page.locator('.thread-head').boundingBox())?.height).toBeLessThan(50);
  const top = page.getByRole('banner');
  await top.getByRole('link', { name: /^\d+ working/ }).waitFor();
  for (const width of [1440, 1181]) {
    await page.setViewportSize({ width, height: 900 });
    const lows = await top
      .locator('button, a')
      .evaluateAll((all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().bottom),
      );
    expect([width, Math.max(...lows) <= 48]).toEqual([width, true]);
  }
  await page.setViewportSize(wide.viewport);
  await details.getByRole('button', { name: /made\.txt/ }).click();
  await page.locator('.is-added', { hasText: 'two' }).waitFor();

  // From one thread to the next.
  await rail.getByRole('searchbox', { name: 'Filter threads' }).fill('beside');
  await rail.getByRole('link', { name: /Fill the panes/ }).waitFor({ state: 'detached' });
  await rail.getByRole('link', { name: /Ask beside it/ }).click();
  await page.getByRole('heading', { name: 'Ask beside it', level: 1 }).waitFor();

  await page.setViewportSize({ width: 1000, height: 800 });
  await rail.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Details' }).click();
  const drawer = page.getByRole('dialog', { name: 'Details' });
  await drawer.getByRole('heading', { name: 'Where it works' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await at.client.threads.stop(asking.threadId);
});

test('output has its colours, hides nothing, and is copied whole', async () => {
  const command = String.raw`printf '\033[31mbad\033[0m \033[8mconcealed\033[0m \033]0;title\007plain\n'; seq 400`;
  const { threadId } = await at.work(`${call('Bash', { command })} [[text Printed.]]`, autonomous);
  await ended(threadId);
  const page = await at.page(`/threads/${threadId}`, {
    ...wide,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: /Run printf/ }).click();
  const output = page.locator('.field', { hasText: 'Output' });
  expect(await output.locator('.hue-red').innerText()).toBe('bad');
  await output.getByText('concealed').waitFor();
  await output.getByRole('button', { name: 'Wrap' }).click();
  await output.locator('pre.is-unwrapped').waitFor();
  await output.getByRole('button', { name: 'Copy all' }).click();
  await output.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n').slice(0, 2)).toEqual(['bad concealed plain', '1']);
  expect(copied.trimEnd().split('\n')).toHaveLength(401);
});

async function tick(page: Page, title: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${title}` }).check();
}

test('threads are ticked, put off and archived together; what is refused stays and says why', async () => {
  const titles = ['Triage one', 'Triage two'];
  for (const title of titles)
    await ended((await at.work('[[text Done.]]', { ...autonomous, title })).threadId);
  const busy = await at.work('[[hang]]', { ...autonomous, title: 'Triage busy' });
  await at.thread(busy.threadId, ({ status }) => status.state === 'busy');

  const page = await at.page('/?search=Triage', wide);
  await tick(page, 'Triage one');
  const bar = page.getByRole('region', { name: 'Selected threads' });
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Snooze' }).click();
  await bar.getByRole('button', { name: '4 hours' }).click();
  await page.getByRole('heading', { name: 'Snoozed 1' }).waitFor();
  await bar.waitFor({ state: 'detached' });

  // It is put off for everybody, and by a worker that comes later, too.
  await at.stop();
  await at.start();
  await page.reload();
  await page.getByRole('heading', { name: 'Snoozed 1' }).waitFor();
  await tick(page, 'Triage one');
  await bar.getByRole('button', { name: 'Wake' }).click();
  await page.getByRole('heading', { name: /^Snoozed/ }).waitFor({ state: 'detached' });

  for (const title of [...titles, 'Triage busy']) await tick(page, title);
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'Archive' }).click();
  await bar
    .getByRole('alert')
    .getByText(/^Triage busy: /)
    .waitFor();
  await bar.getByText('1 selected').waitFor();
  for (const title of titles) await page.getByRole('link', { name: title }).waitFor({ state: 'detached' });
  await page.getByLabel('Group').selectOption('Archived');
  await page.getByRole('link', { name: 'Triage one' }).waitFor();
  expect(new URL(page.url()).search).toContain('group=archived');
  await at.client.dispatches.cancel(busy.id);
});

test('the palette finds questions, threads, what was said in them, and commands', async () => {
  const { threadId } = await at.work('[[text The marmalade is in the cellar.]]', {
    ...autonomous,
    title: 'Look for breakfast',
  });
  await ended(threadId);
  const asking = await at.work('[[ask Toast or porridge? | toast | porridge]]', {
    title: 'Decide breakfast',
  });
  await at.asked(asking.threadId);
  const page = await at.page('/fleet', wide);
  const palette = page.getByRole('dialog', { name: 'Search or run a command' });
  // Keys are heard once the page is there.
  await page.getByRole('button', { name: /^Search or run a command/ }).waitFor();
  const open = async (text: string) => {
    await palette.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill(text);
  };
  await open('breakfast');
  await palette.getByRole('group', { name: 'Answer now' }).getByText('Toast or porridge?').waitFor();
  await palette.getByRole('group', { name: 'Threads' }).getByText('Look for breakfast').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/prompts/*');

  await open('marmalade');
  await palette
    .getByRole('group', { name: 'Found in what was said' })
    .getByText('Look for breakfast')
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/threads/${threadId}`);

  await open('> inbox');
  await palette.getByRole('option', { name: /Go to the inbox/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/inbox');

  await open('breakf');
  await palette.getByRole('option', { name: /Filter home by “breakf”/ }).click();
  await page.waitForURL('**/?search=breakf');
  await page.getByRole('link', { name: 'Look for breakfast' }).waitFor();
  await open('> new work');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement?.getAttribute('placeholder') === 'Describe the work'");
  await at.client.threads.stop(asking.threadId);
});

test('a palette that is asked for while the last one is closing opens', async () => {
  const page = await at.page('/fleet', wide);
  await page.getByRole('button', { name: /^Search or run a command/ }).waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: 'Search or run a command' });
  await search.fill('> inbox');
  await page.getByRole('option', { name: /Go to the inbox/ }).waitFor();
  // Both keys in one task: the browser reports the closing of the first dialog after them.
  await page.evaluate(`{
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
  }`);
  await page.waitForURL('**/inbox');
  await search.waitFor();
  await search.fill('> home');
  await page.getByRole('option', { name: /Go to home/ }).waitFor();
});

test('a picture is pasted, shown small, and goes with the message; a file is dropped', async () => {
  const { threadId } = await at.work('[[text Ready.]]', autonomous);
  await ended(threadId);
  const page = await at.page(`/threads/${threadId}`, wide);
  const composer = page.getByRole('textbox', { name: 'Message to the agent' });
  await composer.waitFor();
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await composer.evaluate((field, data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true }));
  }, pixel);
  const chip = page.getByRole('button', { name: 'Remove shot.png' });
  await chip.waitFor();
  expect(
    await chip.locator('img').evaluate((image) => (image as HTMLImageElement).decode().then(() => true)),
  ).toBe(true);
  await page.locator('form.composer').evaluate((form) => {
    const files = new DataTransfer();
    files.items.add(new File(['dropped words'], 'note.txt', { type: 'text/plain' }));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  });
  await page.getByRole('button', { name: 'Remove note.txt' }).waitFor();
  await composer.fill('[[text Seen.]]');
  await composer.press('Enter');
  await page.getByText('owner · shot.png, note.txt').waitFor();
  await page.getByText('Seen.', { exact: true }).waitFor();
});
