// @module-tag full
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ThreadId } from '../../src/protocol/id.js';
import { address } from '../host/landing/pull-request-stage.js';
import { ScriptedGh } from '../host/landing/scripted-gh.js';
import { ConsoleStage } from './console-stage.js';

let at: ConsoleStage;
let gh: ScriptedGh;
const programs = mkdtempSync(join(tmpdir(), 'handraise-review-'));
beforeAll(async () => {
  gh = new ScriptedGh(programs);
  at = await ConsoleStage.open({ env: { PATH: `${gh.folder}:${process.env['PATH']}` } });
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

/** A repository, and an agent that does what a shell script says in a worktree of it. */
async function worked(
  files: Readonly<Record<string, string>>,
  script: string,
  prepare: (git: (...args: string[]) => string, path: string) => void = () => {},
): Promise<{
  readonly threadId: ThreadId;
  readonly git: (...args: string[]) => string;
  readonly path: string;
}> {
  const path = at.folder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, ...args], {
      encoding: 'utf8',
      env: at.stage.env,
    });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.invalid');
  for (const [name, text] of Object.entries({ ...files, 'work.sh': script })) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  git('add', '.');
  git('commit', '-qm', 'first');
  prepare(git, path);
  const { threadId } = await at.work('[[tool Bash {"command":"sh work.sh"}]] [[next]] [[text Done.]]', {
    permissions: 'autonomous',
    workspace: { path, worktree: true },
  });
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');
  return { threadId, git, path };
}

async function review(threadId: ThreadId, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await at.page(`/threads/${threadId}`, { viewport: { width: 1440, height: 900 } });
  await prepare?.(page);
  // A style or a script that the policy refuses is told here.
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && refused.push(message.text()),
  );
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.getByRole('region', { name: 'Changed lines' }).waitFor();
  return page;
}
const refused: string[] = [];
afterEach(() => expect(refused.splice(0)).toEqual([]));

const price = `import { rules } from './rules.js';

export function total(items) {
  let sum = 0;
  for (const item of items) sum += Math.round(rules.apply(item));
  return sum;
}
`;

test('the work is read in two columns or one, commented on, and the comments go to the agent as one message', async () => {
  const { threadId } = await worked(
    { 'src/price.js': price, 'src/old.js': 'one\ntwo\nthree\n', 'logo.bin': 'a\0b' },
    `sed -i 's/Math.round/halfEven/' src/price.js
printf '// Half to even.\\nexport const halfEven = (value) => "x";\\n' >> src/price.js
git mv src/old.js src/new.js
printf 'c\\0d' > logo.bin
`,
  );
  const page = await review(threadId);
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.getByRole('button', { name: 'price.js' }).waitFor();
  await page.getByText('A binary file: it has no lines to show.').waitFor();
  await page.getByText('renamed from src/old.js', { exact: true }).waitFor();
  await page.locator('.diff-half.is-removed mark', { hasText: 'round' }).waitFor();
  await page.locator('.diff-half.is-added mark', { hasText: 'halfEven' }).waitFor();
  await page.locator('.code-comment', { hasText: '// Half to even.' }).waitFor();

  await page.getByRole('button', { name: 'Unified' }).click();
  await page.getByRole('button', { name: 'Comment on line 5', exact: true }).click();
  await page.getByRole('textbox', { name: 'Comment on line 5' }).fill('What about negative amounts?');
  await page.keyboard.press('Control+Enter');
  await page.getByText('What about negative amounts?').waitFor();

  // With keys alone: to the lines, down, comment.
  await page.getByRole('button', { name: 'Comment on line 8', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Comment on line 9',
  );
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Comment on line 9' }).waitFor();
  await page.keyboard.type('Return a number.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Return a number.').waitFor();
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Comment on line 9',
  );
  await page.getByRole('button', { name: 'Split' }).click();

  await page.getByText('2 comments', { exact: true }).waitFor();
  await page.keyboard.press('Shift+S');
  await page.getByText('Comments go to the agent in one message, with file and line.').waitFor();
  expect(await page.locator('.comment .mark').allTextContents()).toEqual(['Sent', 'Sent']);
  const [newest] = (await at.client.dispatches.list({ thread: threadId, order: 'newest_first' })).dispatches;
  expect(newest?.text).toContain(
    `1. src/price.js:5
> for (const item of items) sum += halfEven(rules.apply(item));
What about negative amounts?

2. src/price.js:9
> export const halfEven = (value) => "x";
Return a number.`,
  );
  await page
    .locator('.comment', { hasText: 'Return a number.' })
    .getByRole('button', { name: 'Resolve' })
    .click();
  await page.getByText('Resolved', { exact: true }).waitFor();

  // What was ticked off is folded, also after a reload.
  await tree.getByRole('checkbox', { name: 'price.js viewed' }).check();
  await page.getByText('1 of 3 viewed').waitFor();
  await page.getByText('What about negative amounts?').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.getByText('1 of 3 viewed').waitFor();
});

test('conflicts are listed and go to the agent, and work is merged, applied and discarded after a look', async () => {
  const { threadId, git, path } = await worked({ 'a.txt': 'one\n' }, 'echo agent > a.txt\n');
  writeFileSync(join(path, 'a.txt'), 'mine\n');
  git('commit', '-qam', 'mine');
  const page = await review(threadId);
  const merge = async () => {
    await page.getByRole('button', { name: /^Merge…/ }).click();
    await page.getByRole('dialog', { name: 'Merge the work' }).getByRole('button', { name: 'Merge' }).click();
  };
  await merge();
  await page.getByRole('list', { name: 'Conflicts' }).getByText('a.txt').waitFor();
  await page.getByRole('button', { name: 'Send the conflicts to the agent' }).click();
  await page.getByText(/The agent was asked to resolve them/).waitFor();
  expect(git('show', 'main:a.txt')).toBe('mine\n');
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.state === 'ended');

  git('reset', '-q', '--hard', 'HEAD~1');
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText(/^Taken back from/).waitFor();
  expect(await page.getByRole('button', { name: 'Take it back' }).count()).toBe(0);
  expect(git('status', '--porcelain')).toBe('');
  await merge();
  await page.getByText(/^Merged into main as/).waitFor();
  expect(git('show', 'main:a.txt')).toBe('agent\n');

  await page.getByRole('button', { name: 'Discard…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard the work' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard…' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByText(/^Discarded\./).waitFor();
});

test('four hundred files are a few lines in the document, from the first to the last', async () => {
  const { threadId } = await worked(
    {},
    'for n in $(seq 400); do mkdir -p d$((n % 20)); seq 100 > d$((n % 20))/f$n.txt; done\n',
  );
  const page = await review(threadId);
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  await page.getByText('400 files', { exact: true }).waitFor();
  await page.locator('.diff-half.is-added').first().waitFor();
  expect(await elements()).toBeLessThan(2500);
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await tree.getByRole('button', { name: 'f389.txt' }).click();
  await page.locator('.diff-path', { hasText: 'd9/f389.txt' }).waitFor();
  await page.keyboard.press('v');
  await page.getByText('1 of 400 viewed').waitFor();
  expect(await elements()).toBeLessThan(2500);
});

test('a file that somebody goes to stays in sight when the lines of others come late', async () => {
  const { threadId } = await worked({}, 'for n in $(seq 40); do seq 100 > f$n.txt; done\n');
  const gate = new AbortController();
  const page = await review(threadId, async (opened) => {
    await opened.route(/\/changes\?.*path=/, async (route) => {
      if (!gate.signal.aborted) await once(gate.signal, 'abort');
      await route.continue();
    });
  });
  const tree = page.getByRole('navigation', { name: 'Changed files' });
  await tree.getByRole('button', { name: 'f37.txt' }).click();
  const head = page.locator('.diff-path', { hasText: 'f37.txt' });
  await head.waitFor();
  gate.abort();
  await page.locator('.diff-half.is-added').first().waitFor();
  await page.waitForFunction(() => !document.body.textContent?.includes('Loading'));
  await head.waitFor();
  await page.getByRole('region', { name: 'Changed lines' }).hover();
  await page.mouse.wheel(0, -100_000);
  await page.locator('.diff-path', { hasText: 'f1.txt' }).waitFor();
});

test('the lines around a change are shown when they are wanted, in two columns and in one, and can be commented on', async () => {
  const long = Array.from({ length: 120 }, (_, index) => `const n${index + 1} = ${index + 1};\n`).join('');
  const { threadId } = await worked(
    { 'src/long.js': long },
    `sed -i 's/^const n50 = 50;/const n50 = "fifty";\\nconst extra = 1;/' src/long.js\n`,
  );
  const page = await review(threadId);
  const code = (text: string) => page.locator('.diff-code', { hasText: text });
  const hidden = page.getByRole('group', { name: /lines not shown, from line 1$/ });
  await hidden.getByText('46 lines not shown').waitFor();
  // How long the file is, nobody has read yet.
  await page.getByRole('group', { name: 'More lines below, from line 55' }).waitFor();
  expect(await code('const n46 = 46;').count()).toBe(0);
  await hidden.getByRole('button', { name: 'Show 20 lines above line 47' }).press('Enter');
  await code('const n27 = 27;').first().waitFor();
  expect(await code('const n26 = 26;').count()).toBe(0);
  // The button went, and the keys go on from the first line that came.
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Comment on line 27',
  );
  await hidden.getByRole('button', { name: 'Show all 26 lines' }).click();
  await code('const n1 = 1;').first().waitFor();
  expect(await hidden.count()).toBe(0);

  await page.getByRole('button', { name: 'Unified' }).click();
  const list = page.getByRole('region', { name: 'Changed lines' });
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const below = page.getByRole('group', { name: '67 lines not shown, from line 55' });
  await below.getByRole('button', { name: 'Show 20 lines below line 54' }).click();
  // The line was one further up before the change.
  const row = page.locator('.diff-row', { hasText: 'const n73 = 73;' });
  await row.waitFor();
  expect(await row.locator('.diff-number').allTextContents()).toEqual(['73', '74']);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('group', { name: '47 lines not shown, from line 75' }).waitFor();
  await page.getByRole('button', { name: 'Comment on line 74', exact: true }).click();
  await page.getByRole('textbox', { name: 'Comment on line 74' }).fill('Why not here?');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Why not here?').waitFor();
  const [comment] = (await at.client.comments.list(threadId)).comments;
  expect(comment).toMatchObject({ file: 'src/long.js', line: 74, side: 'new', quote: 'const n73 = 73;' });
});

test('a pull request is watched from here, and no longer', async () => {
  const { threadId } = await worked({ 'a.txt': 'one\n' }, 'echo two >> a.txt\n', (git, path) => {
    const bare = `${path}.git`;
    git('init', '-q', '--bare', '-b', 'main', bare);
    git('remote', 'add', 'origin', address);
    git('config', '--global', `url.${bare}.pushInsteadOf`, address);
    git('push', '-q', 'origin', 'main');
  });
  gh.say({});
  const page = await review(threadId);
  const watching = page.getByRole('group', { name: 'Watch the pull request' });
  expect(await watching.count()).toBe(0);
  await page.getByRole('button', { name: 'Pull request…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pull request' }).click();
  await watching.getByText('The pull request is not watched.').waitFor();
  await watching.getByRole('button', { name: 'Watch the pull request' }).click();
  await watching
    .getByText(/^Watching https:.*: failing checks and review comments go to the agent/)
    .waitFor();
  expect((await at.client.threads.landings(threadId)).map(({ kind, state }) => [kind, state])).toEqual([
    ['watch', 'begun'],
    ['pr', 'done'],
  ]);
  // What becomes of it is seen without a click.
  await watching.getByRole('button', { name: 'Stop watching' }).waitFor();
  await at.run('watch-pr', threadId, '--stop');
  await watching.getByText(/is not watched any more\.$/).waitFor();
  await watching.getByRole('button', { name: 'Watch the pull request' }).click();
  await watching.getByRole('button', { name: 'Stop watching' }).click();
  await watching.getByText(/is not watched any more\.$/).waitFor();
});
