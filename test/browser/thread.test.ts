import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ThreadId } from '../../src/protocol/id.js';
import { waitUntil } from '../harness/wait-until.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const autonomous = { permissions: 'autonomous' } as const;
const pageOf = (threadId: ThreadId) => at.page(`/threads/${threadId}`);

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
  await timeline.getByText('✓succeeded').waitFor();

  const thinking = timeline.locator('details.thinking');
  expect(await thinking.getByText('Let me look.').isVisible()).toBe(false);
  await thinking.getByText('Thinking').click();
  await thinking.getByText('Let me look.').waitFor();

  const tool = timeline.getByRole('button', { name: /Bash echo from the tool/ });
  expect(await tool.innerText()).toMatch(/^✓[\s\S]*worked[\s\S]*Bash echo from the tool\s+\d+\.\ds$/);
  await tool.click();
  await timeline.locator('pre', { hasText: /^from the tool$/ }).waitFor();
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
  const nested = page.locator('.depth-1').getByRole('button', { name: /Bash echo inside/ });
  await nested.waitFor();
  await page.getByRole('button', { name: 'fold' }).click();
  await nested.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'show 1 inside' }).click();
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
  await page.getByRole('log', { name: 'Timeline' }).getByText('✓succeeded').nth(1).waitFor();
  await page.keyboard.press('Escape');

  const file = join(at.folder(), 'note.txt');
  writeFileSync(file, 'the content of the note');
  await page.getByLabel('Files to attach').setInputFiles(file);
  await page.getByRole('button', { name: 'Remove note.txt' }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('[[text I read it.]]');
  await page.keyboard.press('Enter');
  await page.getByText('I read it.', { exact: true }).waitFor();
  await page.getByText('user:owner · note.txt').waitFor();
  expect(JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.body)).toContain(
    'the content of the note',
  );
});

test('a question is answered where it is read', async () => {
  const { threadId } = await at.work('[[ask Which way? | left | right]] [[next]] [[text Going.]]');
  await at.asked(threadId);
  const page = await pageOf(threadId);
  await page.getByRole('region', { name: 'Open prompt' }).getByText('Which way?').waitFor();
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
  await page.getByRole('button', { name: /Bash tail -f/ }).waitFor();
  await page.getByRole('button', { name: 'Interrupt', disabled: false }).waitFor();
  await page.keyboard.press('i');
  await page.getByText('The turn was interrupted.').waitFor();
  await ended(threadId);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Cancel the work' }).click();
  await page.getByText('-cancelled').first().waitFor();
});

test('model and permission mode are changed while the agent lives', async () => {
  const { threadId } = await at.work('[[text Ready.]]');
  await ended(threadId);
  const page = await pageOf(threadId);
  await page.getByLabel('Permission mode').selectOption('acceptEdits');
  await page.getByText('The permission mode is now acceptEdits.').waitFor();
  await page.getByLabel('Model', { exact: true }).fill('opus');
  await page.getByRole('button', { name: 'Set' }).click();
  await page.getByText('The model is now opus.').waitFor();
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
  const rewind = page.getByRole('button', { name: 'put the files back to here' }).first();
  await rewind.waitFor();
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.locator('.diff-added', { hasText: 'after' }).waitFor();
  await page.locator('.diff-removed', { hasText: 'before' }).waitFor();
  await page.keyboard.press('v');
  await page.keyboard.press('v');
  await rewind.click();
  await page.getByText('The files were put back to a checkpoint.').waitFor();
  await waitUntil(() => readFileSync(join(path, 'a.txt'), 'utf8') === 'before\n');
});

test('raw events are shown and downloaded, every one of them', async () => {
  const { threadId } = await at.work('[[text Short.]]', autonomous);
  await ended(threadId);
  const { lastSeq } = await at.client.threads.get(threadId);
  const page = await pageOf(threadId);
  await page.getByRole('tab', { name: 'Raw events' }).click();
  await page.getByRole('region', { name: 'Raw events' }).getByText('"type":"dispatch_started"').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSONL' }).click();
  const file = await (await downloading).path();
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  // The agent may have said a last word since.
  expect(events.length).toBeGreaterThanOrEqual(lastSeq);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});
