// @module-tag full
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/protocol/prompt.js';
import { planFile } from '../harness/plan-file.js';
import { waitUntil } from '../harness/wait-until.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const isUsed = ({ consumedAt }: Prompt) => consumedAt !== undefined;
const asking = (...questions: object[]) =>
  `[[tool AskUserQuestion ${JSON.stringify({ questions })}]] [[next]] [[text Thanks.]]`;
const question = (words: string, labels: readonly string[], more: object = {}) => ({
  question: words,
  header: 'H',
  multiSelect: false,
  options: labels.map((label) => ({ label, description: `About ${label}` })),
  ...more,
});
const bash = (command: string) => `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Done.]]`;

/** A thread that asks, and a page that shows its prompt. */
async function asked(text: string, request: Parameters<ConsoleStage['work']>[1] = {}) {
  const { threadId } = await at.work(text, request);
  const prompt = await at.asked(threadId);
  const page = await at.page(`/prompts/${prompt.id}`);
  await page.getByRole('article', { name: 'Question or approval' }).waitFor();
  await steady(page);
  return { page, prompt, threadId };
}

test('a number key answers a question, and its receipts are seen', async () => {
  const { page, prompt } = await asked(
    '[[text I looked around.]] [[ask Which target? | staging | production]]',
  );
  await page
    .getByRole('region', { name: 'Before the question' })
    .getByText('I looked around.', { exact: true })
    .waitFor();

  await page.keyboard.press('2');
  const settled = await at.prompt(prompt.id, isUsed);
  expect([settled.answers, settled.actor]).toEqual([
    [{ question: 'Which target?', answer: ['production'] }],
    'user:owner',
  ]);
  await page.getByText('✓ Answered: production · by owner').waitFor();
  await page.getByRole('list', { name: 'Receipts' }).getByText('✓ consumed').waitFor();
});

test('several questions are one form: numbers, several choices, words of one’s own, Enter', async () => {
  const { page, prompt } = await asked(
    asking(
      question('Which colour?', ['Red', 'Blue']),
      question('Which tests?', ['unit', 'e2e', 'lint'], { multiSelect: true }),
      question('Which name?', ['Ada', 'Bea']),
    ),
  );
  await page.keyboard.press('2');
  await page.keyboard.press('1');
  await page.keyboard.press('3');
  const last = page.getByRole('group', { name: /Which name/ });
  await last.getByRole('textbox', { name: 'Something else' }).fill('Cleo');
  await last.getByRole('textbox').press('Enter');

  expect((await at.prompt(prompt.id, isUsed)).answers).toEqual([
    { question: 'Which colour?', answer: ['Blue'] },
    { question: 'Which tests?', answer: ['unit', 'lint'] },
    { question: 'Which name?', answer: ['Cleo'] },
  ]);
});

test('the preview of an option stands beside it', async () => {
  const options = ['Grid', 'List'].map((label) => ({ label, description: label, preview: `+--${label}--+` }));
  const { page, prompt } = await asked(asking(question('Which layout?', [], { options })));
  await page.getByText('List', { exact: true }).first().hover();
  await page.getByLabel('Preview').getByText('+--List--+').waitFor();
  await page.getByRole('radio', { name: /Grid/ }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  expect((await at.prompt(prompt.id, isUsed)).answers).toEqual([
    { question: 'Which layout?', answer: ['Grid'] },
  ]);
});

test('y approves the command that is shown', async () => {
  const path = at.folder();
  const { page, prompt } = await asked(bash('echo yes > made'), { workspace: { path } });
  await page
    .getByRole('region', { name: 'Action' })
    .getByRole('heading', { name: 'Claude asks to run: echo yes > made' })
    .waitFor();
  await page.keyboard.press('y');
  expect(await at.prompt(prompt.id, isUsed)).toMatchObject({ answers: [{ answer: ['Approve'] }] });
  expect(readFileSync(join(path, 'made'), 'utf8')).toBe('yes\n');
});

test('d denies; m denies with words that the agent hears', async () => {
  const first = await asked(bash('echo no > made'));
  await first.page.keyboard.press('d');
  expect(await at.prompt(first.prompt.id, isUsed)).toMatchObject({ answers: [{ answer: ['Deny'] }] });

  const second = await asked(bash('echo never > made'));
  await second.page.keyboard.press('m');
  await second.page.keyboard.type('Ask Ada first.');
  await second.page.keyboard.press('Enter');
  await at.prompt(second.prompt.id, isUsed);
  await waitUntil('the model hears why', () =>
    at.stage.simulator.toolResults().some(({ text }) => text.includes('Ask Ada first.')),
  );
});

test('e approves another command than the one that was asked for', async () => {
  const path = at.folder();
  const { page, prompt } = await asked(bash('echo bad > made'), { workspace: { path } });
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'command' }).fill('echo good > made');
  await page.keyboard.press('Control+Enter');
  await at.prompt(prompt.id, isUsed);
  expect(readFileSync(join(path, 'made'), 'utf8')).toBe('good\n');
  const changed = 'echo good > made (proposed: echo bad > made)';
  await page.getByText(`✓ Answered: Approve, with changes: ${changed} · by owner`).waitFor();
});

test('a approves the same from now on in this thread', async () => {
  const path = at.folder();
  const twice = `[[tool Bash {"command":"echo a >> made"}]] [[next]] [[tool Bash {"command":"echo a >> made"}]] [[next]] [[text Done.]]`;
  const { page, threadId } = await asked(twice, { workspace: { path } });
  await page.keyboard.press('a');
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  expect(readFileSync(join(path, 'made'), 'utf8')).toBe('a\na\n');
});

test('an edit is shown as a difference', async () => {
  const path = at.folder();
  const input = { file_path: join(path, 'a.txt'), content: 'one\ntwo\n' };
  const { page, prompt } = await asked(`[[tool Write ${JSON.stringify(input)}]] [[next]] [[text Done.]]`, {
    workspace: { path },
  });
  const lines = page.getByRole('region', { name: 'What it contains' }).locator('.sheet-line');
  await lines.first().waitFor();
  expect((await lines.allInnerTexts()).map((line) => line.split(/\s+/))).toEqual([
    ['a.txt', '+2', '−0'],
    ['+', 'added:', 'one'],
    ['+', 'added:', 'two'],
  ]);
  await page.getByRole('button', { name: /^Approve y/ }).click();
  await at.prompt(prompt.id, isUsed);
});

test('a plan is shown as a document', async () => {
  const posture = { permissionMode: 'plan' } as const;
  const { threadId } = await at.work('[[text I will plan.]]', { posture });
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  const content = '# The plan\n\n1. Look.\n2. **Leap**.\n';
  const write = JSON.stringify({ file_path: planFile(at.stage.simulator), content });
  await at.work(`[[tool Write ${write}]] [[next]] [[tool ExitPlanMode {}]] [[next]] [[text I see.]]`, {
    thread: threadId,
  });
  const prompt = await at.asked(threadId);
  const page = await at.page(`/prompts/${prompt.id}`);
  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.locator('strong', { hasText: 'Leap' }).waitFor();
  expect(await plan.getByRole('listitem').allInnerTexts()).toEqual(['Look.', 'Leap.']);
  expect(await page.getByRole('button', { name: /in this thread/ }).count()).toBe(0);
  await steady(page);
  await page.keyboard.press('y');
  await at.prompt(prompt.id, isUsed);
});

test('equal prompts of several threads are answered together', async () => {
  const threads = await Promise.all([1, 2, 3].map(() => at.work('[[ask Which equal? | one | two]]')));
  const prompts = await Promise.all(threads.map(({ threadId }) => at.asked(threadId)));
  const page = await at.page(`/prompts/${prompts[0]?.id}`);
  await page.getByText('×3').waitFor();
  await page.keyboard.press('t');
  await page.getByRole('list', { name: 'Answered together' }).waitFor();
  await steady(page);
  await page.keyboard.press('1');
  const settled = await Promise.all(prompts.map(({ id }) => at.prompt(id, isUsed)));
  expect(settled.map(({ answers }) => answers?.[0]?.answer)).toEqual([['one'], ['one'], ['one']]);
});

test('a prompt that somebody else answers meanwhile is shown as answered, also to who answers too late', async () => {
  const { page, prompt } = await asked('[[ask Who is first? | me | you]]');
  const phone = at.clientOf(await at.run('token', 'add', 'phone'));
  // What the other one does reaches this page only when it answers itself.
  await page.route('**/api/v1/prompts/*/answer', async (route) => {
    await phone.prompts.answer(prompt.id, { text: 'you' });
    await route.continue();
  });
  await page.keyboard.press('1');
  await page.getByText('✓ Answered: you · by phone').waitFor();
  expect(await page.getByRole('alert').allInnerTexts()).toEqual(['']);
});

test('the inbox lists the oldest first and goes on to the next one', async () => {
  const first = await at.work('[[ask Number one? | a | b]]', { title: 'First' });
  await at.asked(first.threadId);
  const second = await at.work('[[ask Number two? | c | d]]', { title: 'Second' });
  const later = await at.asked(second.threadId);
  const page = await at.page('/inbox');
  await page.getByText('2 open').waitFor();
  const entries = page.getByRole('navigation', { name: 'Questions and approvals' }).getByRole('link');
  expect((await entries.allInnerTexts()).slice(0, 2)).toEqual([
    expect.stringContaining('Number one?'),
    expect.stringContaining('Number two?'),
  ]);
  await steady(page);
  await page.keyboard.press('1');
  await page.waitForURL(`**/prompts/${later.id}`);
  await page.getByRole('group', { name: /Number two\?/ }).waitFor();
  await steady(page);
  await page.keyboard.press('2');
  await page.getByText('0 open').waitFor();
  expect((await at.prompt(later.id, isUsed)).answers?.[0]?.answer).toEqual(['d']);
});
