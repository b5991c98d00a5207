// @module-tag full
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ThreadId } from '../../src/protocol/id.js';
import { waitUntil } from '../harness/wait-until.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const autonomous = { permissions: 'autonomous' } as const;
const pageOf = (threadId: ThreadId) => at.page(`/threads/${threadId}`);

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
}

async function ended(threadId: ThreadId): Promise<void> {
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
}

test('the timeline tells text, thinking, tools and how it ended', async () => {
  const { threadId } = await at.work(
    '[[think Let me look.]] [[text Here is a **list**:\n\n- one\n- two]] [[tool Bash {"command":"echo from the tool"}]] [[next]] [[text All done.]]',
    { ...autonomous, title: 'Read the room' },
  );
  await ended(threadId);
  const page = await pageOf(threadId);
  const timeline = page.getByRole('log', { name: 'Timeline' });
  await timeline.locator('strong', { hasText: 'list' }).waitFor();
  await timeline.getByText('All done.', { exact: true }).waitFor();
  await timeline.getByText('✓Succeeded').waitFor();

  const thinking = timeline.locator('details.thinking');
  expect(await thinking.getByText('Let me look.').isVisible()).toBe(false);
  await thinking.getByText('Thinking').click();
  await thinking.getByText('Let me look.').waitFor();

  const tool = timeline.getByRole('button', { name: /Run echo from the tool/ });
  expect(await tool.innerText()).toMatch(/^✓[\s\S]*succeeded[\s\S]*Run echo from the tool\s+\d+\.\d s$/);
  await tool.click();
  await timeline.locator('pre', { hasText: /^from the tool$/ }).waitFor();
});

test('all that a tool said is shown on demand, part by part, as plain text', async () => {
  const command = "echo '<b>bold</b>'; seq 2000; echo last";
  const { threadId } = await at.work(
    `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Counted.]]`,
    autonomous,
  );
  await ended(threadId);
  const page = await pageOf(threadId);
  const timeline = page.getByRole('log', { name: 'Timeline' });
  await timeline.getByRole('button', { name: /Run echo/ }).click();
  const output = timeline.locator('.field', { hasText: 'Output' }).locator('pre');
  expect(await output.innerText()).toMatch(/^<b>bold<\/b>\n1\n[\s\S]*…$/);
  await timeline.getByRole('button', { name: /^Show all 8,909 characters$/ }).click();
  await output.filter({ hasText: 'last' }).waitFor();
  expect(await output.innerText()).toMatch(/^<b>bold<\/b>\n1\n2\n[\s\S]*\n2000\nlast$/);
  expect(await timeline.getByRole('button', { name: /^Show/ }).count()).toBe(0);
});

test('what a sub-agent does stands under the call that started it, and can be folded', async () => {
  const inner = '<<tool Bash {"command":"echo inside"}>> <<next>> <<text Found it.>>';
  const input = { description: 'look', prompt: inner, run_in_background: false };
  const { threadId } = await at.work(
    `[[tool Agent ${JSON.stringify(input)}]] [[next]] [[text Over.]]`,
    autonomous,
  );
  await ended(threadId);
  const page = await pageOf(threadId);
  const nested = page.locator('.depth-1').getByRole('button', { name: /Run echo inside/ });
  await nested.waitFor();
  await page.getByRole('button', { name: 'Fold' }).click();
  await nested.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show 1 inside' }).click();
  await nested.waitFor();
});

test('text appears while it is written, and a message with a file reaches the agent', async () => {
  const { threadId } = await at.work('[[text Ready.]]', autonomous);
  const page = await pageOf(threadId);
  await page.getByText('Ready.', { exact: true }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('[[slow 20]] [[deltas 200 tick-]]');
  await page.keyboard.press('Enter');
  await page.locator('.live', { hasText: 'tick-tick-' }).waitFor();
  await page.getByRole('log', { name: 'Timeline' }).getByText('✓Succeeded').nth(1).waitFor();
  await page.keyboard.press('Escape');

  const file = join(at.folder(), 'note.txt');
  writeFileSync(file, 'the content of the note');
  await page.getByLabel('Files to attach').setInputFiles(file);
  await page.getByRole('button', { name: 'Remove note.txt' }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('[[text I read it.]]');
  await page.keyboard.press('Enter');
  await page.getByText('I read it.', { exact: true }).waitFor();
  await page.getByText('owner · note.txt').waitFor();
  expect(JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.body)).toContain(
    'the content of the note',
  );
});

test('a question is answered where it is read', async () => {
  const { threadId } = await at.work('[[ask Which way? | left | right]] [[next]] [[text Going.]]');
  await at.asked(threadId);
  const page = await pageOf(threadId);
  await page.getByRole('region', { name: 'Waiting for your answer' }).getByText('Which way?').waitFor();
  await steady(page);
  await page.keyboard.press('2');
  await page.getByText('✓ Answered: right').waitFor();
  await page.getByText('Going.', { exact: true }).waitFor();
});

test('a turn is interrupted, and the work is tried again', async () => {
  const { threadId } = await at.work(
    '[[text Well.]] [[tool Bash {"command":"tail -f /dev/null"}]]',
    autonomous,
  );
  const page = await pageOf(threadId);
  await page.getByRole('button', { name: /Run tail -f/ }).waitFor();
  await page.getByRole('button', { name: 'Interrupt', disabled: false }).waitFor();
  await page.keyboard.press('i');
  await page.getByText('The turn was interrupted.').waitFor();
  await ended(threadId);
  await openMenu(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Cancel work' }).click();
  await page.getByText('-Cancelled').first().waitFor();
});

test('a message behind a question stays in sight, can be changed and removed, and is not what is cancelled', async () => {
  const { id, threadId } = await at.work('[[ask Which way? | left | right]] [[next]] [[text Going.]]');
  await at.asked(threadId);
  const page = await pageOf(threadId);
  const composer = page.getByRole('textbox', { name: 'Message to the agent' });
  await composer.fill('And then home.');
  await composer.press('Enter');
  const waiting = page.getByRole('region', { name: 'Waiting 1' });
  await waiting.getByText('And then home.').waitFor();

  await waiting.getByRole('button', { name: 'Edit' }).click();
  await waiting.getByRole('textbox', { name: 'Waiting message' }).fill('[[text Home by bus.]]');
  await waiting.getByRole('button', { name: 'Save' }).click();
  await waiting.getByRole('paragraph').filter({ hasText: '[[text Home by bus.]]' }).waitFor();
  await composer.fill('Never mind.');
  await composer.press('Enter');
  await page
    .getByRole('region', { name: 'Waiting 2' })
    .getByRole('listitem')
    .filter({ hasText: 'Never mind.' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await waiting.waitFor();

  await openMenu(page);
  await page.getByRole('button', { name: 'Cancel work' }).click();
  await page.getByText('Home by bus.', { exact: true }).waitFor();
  await waiting.waitFor({ state: 'detached' });
  expect((await at.client.dispatches.get(id)).outcome?.result).toBe('cancelled');
});

test('what ran is shown with what was proposed', async () => {
  const { threadId } = await at.work('[[tool Bash {"command":"echo one >> made"}]] [[next]] [[text Over.]]');
  const prompt = await at.asked(threadId);
  const decision = { approved: true, updatedInput: { command: 'echo two >> made' } };
  await at.client.prompts.answer(prompt.id, { decision });
  await ended(threadId);
  const page = await pageOf(threadId);
  const timeline = page.getByRole('log', { name: 'Timeline' });
  await timeline
    .getByText('✓ Answered: Approve, with changes: echo two >> made (proposed: echo one >> made)')
    .waitFor();
  const tool = timeline.getByRole('button', { name: /Run echo two >> made \(proposed: echo one >> made\)/ });
  await tool.click();
  await timeline.getByRole('region', { name: 'What ran' }).getByText('echo two >> made').waitFor();
  await page.goto(`${at.url}/prompts/${prompt.id}`);
  await page.getByText('What was approved in place of what the agent had proposed').click();
  await page.locator('details').getByText('echo two >> made').waitFor();
});

test('model and permission mode are changed while the agent lives', async () => {
  const { threadId } = await at.work('[[text Ready.]]');
  await ended(threadId);
  const page = await pageOf(threadId);
  await openMenu(page);
  await page.getByLabel('Permission mode').selectOption('acceptEdits');
  await page.getByText('The agent now edits freely, asks for the rest (acceptEdits).').waitFor();
  await page.getByLabel('Model', { exact: true }).fill('opus');
  await page.locator('datalist option[value="default"]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('The model is now opus.').waitFor();
  await page.getByText('About the agent').click();
  await page.getByText('handraise · connected').waitFor();
  await page.getByLabel('Thinking budget').fill('2048');
  await page.getByRole('button', { name: 'Set thinking budget' }).click();
  await waitUntil('the thinking budget is recorded', async () =>
    JSON.stringify((await at.client.threads.events(threadId)).events).includes('"maxThinkingTokens":2048'),
  );
  await openMenu(page);
  await page.getByLabel('Permission mode').selectOption('bypassPermissions');
  await page
    .getByRole('alert')
    .getByText(/approval/)
    .waitFor();
});

test('the changes of the workspace are shown, and its files go back to a checkpoint', async () => {
  const path = at.folder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(path, 'a.txt'), 'before\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const input = { file_path: join(path, 'a.txt'), content: 'after\n' };
  const { threadId } = await at.work(
    `[[tool Read ${JSON.stringify({ file_path: input.file_path })}]] [[next]] [[tool Write ${JSON.stringify(input)}]] [[next]] [[text Changed.]]`,
    { ...autonomous, workspace: { path }, posture: { checkpointing: true } },
  );
  await ended(threadId);
  const page = await pageOf(threadId);
  const rewind = page.getByRole('button', { name: 'Restore the files to this point' }).first();
  await rewind.waitFor();
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.locator('.is-added', { hasText: 'after' }).waitFor();
  await page.locator('.is-removed', { hasText: 'before' }).waitFor();
  await page.keyboard.press('l');
  await rewind.click();
  await page.getByText('The files were restored to a checkpoint.').waitFor();
  await waitUntil('the file is as before', () => readFileSync(join(path, 'a.txt'), 'utf8') === 'before\n');
});

test('raw events are shown and downloaded, every one of them', async () => {
  const { threadId } = await at.work('[[text Short.]]', autonomous);
  await ended(threadId);
  const { lastSeq } = await at.client.threads.get(threadId);
  const page = await pageOf(threadId);
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('region', { name: 'Events' }).getByText('"type":"dispatch_started"').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as JSONL' }).click();
  const file = await (await downloading).path();
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  // The agent may have said a last word since.
  expect(events.length).toBeGreaterThanOrEqual(lastSeq);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test('what was approved for the whole thread is listed with all of it, and can be withdrawn', async () => {
  const command = 'echo made >> x';
  const call = `[[tool Bash ${JSON.stringify({ command })}]]`;
  const { threadId } = await at.work(`${call} [[next]] ${call} [[next]] [[text Twice.]]`);
  const { id } = await at.asked(threadId);
  await at.client.prompts.answer(id, { decision: { approved: true, scope: 'thread' } });
  // The second is not asked.
  await ended(threadId);
  const page = await pageOf(threadId);
  await page.getByText('Always in this thread: 1 rule').click();
  const granted = page.getByRole('list', { name: 'Always in this thread' }).getByRole('listitem');
  expect(await granted.count()).toBe(1);
  expect(await granted.innerText()).toMatch(
    /Allows Bash with exactly this input by owner; not asked again in this thread[^]*echo made >> x/,
  );
  await granted.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText(/^Always in this thread:/).waitFor({ state: 'detached' });
  expect(await at.client.threads.grants(threadId)).toEqual([]);
  const again = await at.work(`${call} [[next]] [[text Asked.]]`, { thread: threadId });
  const asked = await at.asked(threadId);
  expect(asked.action?.input).toMatchObject({ command });
  await at.client.dispatches.cancel(again.id);
});

test('a thread is archived, taken back and removed; what would be lost is refused', async () => {
  const { threadId } = await at.work('[[text Done.]]', { ...autonomous, title: 'Put me aside' });
  await ended(threadId);
  const page = await pageOf(threadId);
  await openMenu(page);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('button', { name: 'Take back from the archive' }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
  expect((await at.thread(threadId, () => true)).archivedAt).toBeUndefined();

  await page.getByRole('button', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this thread?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByText('Put me aside').waitFor({ state: 'detached' });
});

test('a thread whose work is not over is not removed, and says what to do', async () => {
  const { threadId } = await at.work('[[hang]]', { ...autonomous, title: 'At work' });
  await at.thread(threadId, ({ status }) => status.state === 'busy');
  const page = await pageOf(threadId);
  await openMenu(page);
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText(`Work of ${threadId} has not ended.`).waitFor();
});
