// Plays a night: a schedule starts its work, which meets a usage limit, waits, asks, is answered on the page of a phone, and lands.
// Real commands, a real agent, a real browser and a scripted model; what was seen is written into docs/night.md. With --check it only
// says whether the page still shows what happens.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './browser.js';
import { inShell } from './recording/shell.js';
import { essential, stable } from './recording/stable.js';
import { until } from './recording/wait.js';

const page = new URL('../docs/night.md', import.meta.url);
const picture = new URL('../docs/images/night-phone.png', import.meta.url).pathname;
const isCheck = process.argv.includes('--check');
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-night-')));
const workspace = join(root, 'shop');
await mkdir(workspace);

const bash = (/** @type {string} */ command) => ({ tool: 'Bash', input: { command } });
const question = {
  question: 'The supplier lists two prices for tea. Which one counts?',
  header: 'Price',
  multiSelect: false,
  options: [
    { label: '4.20', description: 'from the list of this month' },
    { label: '3.90', description: 'from the list of last month' },
  ],
};
const replies = [
  { when: { prompt: 'price list', round: 0 }, blocks: [bash('cat prices.txt')] },
  // The limit is over after half a minute; in a real night it is hours.
  {
    when: { prompt: 'price list', round: 1 },
    fault: { kind: 'error', status: 429, type: 'usage_limit_reached', resetsInSeconds: 30, times: 1 },
    blocks: [{ text: 'I go on.' }],
  },
  {
    when: { prompt: 'usage limit', round: 0 },
    blocks: [{ tool: 'AskUserQuestion', input: { questions: [question] } }],
  },
  { when: { prompt: 'usage limit', round: 1 }, blocks: [bash("printf 'tea 4.20\\n' > prices.txt")] },
  { when: { prompt: 'usage limit', round: 2 }, blocks: [{ text: 'Tea costs 4.20 now.' }] },
];
const script = join(root, 'script.json');
await writeFile(script, JSON.stringify({ replies }));
const simulator = spawn(process.execPath, [program, 'sim', '--script', script, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [line] = await once(simulator.stdout.setEncoding('utf8'), 'data');
const steering = spawnSync(
  process.execPath,
  [program, 'sim', 'env', 'claude', '--url', String(line).trim(), '--home', root, '--json'],
  { encoding: 'utf8' },
);
await mkdir(join(root, 'bin'));
await writeFile(join(root, 'bin/handraise'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
await chmod(join(root, 'bin/handraise'), 0o755);
// With a key of the API, Claude Code does not say when a limit is over; with a subscription it does.
const { ANTHROPIC_API_KEY: _key, ...steered } = JSON.parse(steering.stdout).env;
const env = {
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  IS_SANDBOX: '1',
  SHELL: '/bin/sh',
  NO_COLOR: '1',
  TZ: 'UTC',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...steered,
  CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x',
  HANDRAISE_HOME: join(root, '.local/state/handraise'),
  HANDRAISE_PORT: '0',
  HANDRAISE_UNDO_SECONDS: '0',
};
let at = '';

/** @type {string[]} */
const recorded = [];
try {
  await writeFile(join(workspace, 'prices.txt'), 'tea 3.90\n');
  await quietly(
    'git init -q -b main . && git config user.name you && git config user.email you@example.com && git add . && git commit -q -m "The shop" && handraise up -d',
  );
  at = soon();
  await story();
} finally {
  await quietly('handraise down --stop-agents');
  simulator.kill();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const text = `${stable(recorded.join('\n'), root)
  .replaceAll(`every day ${at}`, 'every day 2:00')
  .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, '02:00')
  .replaceAll('waits for quota until 02:00', 'waits for quota until 02:01')
  .replaceAll(/^[0-9a-f]{7} /gm, '0123456 ')
  .replaceAll(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\w+ )?\d{1,2}(?: \w+)?\b/g, 'Thu 1 Jan')
  .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '2026-01-01')
  .replaceAll(/ +$/gm, '')}\n`;
const before = await readFile(page, 'utf8').catch(() => '');
if (!isCheck) {
  await writeFile(page, text);
  console.log(`docs/night.md: ${before === text ? 'unchanged' : 'written'}`);
} else {
  const [shown, seen] = [essential(before), essential(text)];
  const other = Array.from({ length: Math.max(shown.length, seen.length) }).findIndex(
    (_, place) => seen[place] !== shown[place],
  );
  if (other >= 0) {
    console.error(
      `docs/night.md shows\n  ${shown[other]}\nbut this happens:\n  ${seen[other]}\nIf that is right: node scripts/record-night.js`,
    );
    process.exitCode = 1;
  }
}

/** The next minute that is not just about to begin. */
function soon() {
  const first = new Date(Date.now() + 80_000);
  return `${first.getUTCHours()}:${String(first.getUTCMinutes()).padStart(2, '0')}`;
}

/** What is done, in order, and what is said about it. */
async function story() {
  say(`# A night

<!-- Recorded by scripts/record-night.js; change the story there and run it again. -->

This is a recording of real commands, a real Claude Code process with a subscription, real git and a real browser; only the model is
scripted. Work that runs every night meets a usage limit, waits until it is over, asks, is answered from bed, and is merged before
breakfast. Nobody has typed a command meanwhile. Times, ids, commits and prices of the work are replaced by fixed ones, and the limit of this
recording lasts half a minute. [Schedules](schedules.md), [quota](quota.md) and the [web console](web-console.md) explain each part.

## In the evening`);
  await run(
    `handraise schedule add "every day ${at}" "Bring the price list up to date." --name prices --worktree --on-success merge --permissions autonomous --unanswered wait --budget 5`,
  );
  await run('handraise schedule ls');

  say(
    '## At two\n\nThe work begins by itself. The account has reached its usage limit, so it waits; that counts as no failure.',
  );
  await until('the work waits for quota', async () =>
    (await listed()).some(({ waitsFor }) => waitsFor === 'quota'),
  );
  await run('handraise ls -D');

  say('## A little later\n\nThe limit is over. The agent goes on in the same session, and needs a decision.');
  await until('it asks', async () => (await asked()).length > 0);
  await run('handraise inbox --list');

  say(`## In bed

The question is on the phone: as a message, if a channel is set up ([chat](chat.md)), and on the page of the console.

![The question on a phone](images/night-phone.png)`);
  await answerOnPhone();

  say('## In the morning');
  await until('the work has ended', async () => (await listed()).every(({ state }) => state === 'ended'));
  await until('it is merged', async () => (await printed('git rev-list --count HEAD')).trim() === '2');
  await run('handraise schedule history prices');
  await run('git log --format="%h %s"');
  await run('cat prices.txt');
}

/** Answers as a person does who holds a phone, and writes down what was read and touched. */
async function answerOnPhone() {
  const link = /http\S+/.exec(await printed('handraise open --print'))?.[0] ?? '';
  const browser = await launchBrowser(root);
  try {
    const phone = await browser.newPage({
      viewport: { width: 390, height: 780 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
    });
    phone.setDefaultTimeout(0);
    await phone.goto(link);
    await phone.getByRole('heading', { name: /^Needs you/ }).waitFor();
    await phone.goto(new URL('/inbox', link).href);
    const options = phone.getByRole('radio');
    await options.first().waitFor();
    const asks = await phone.getByText(question.question).first().textContent();
    const labels = await Promise.all(
      question.options.map(async ({ label }) =>
        (await phone.getByText(label, { exact: true }).count()) > 0 ? label : '',
      ),
    );
    await options.first().check();
    if (!isCheck) await phone.screenshot({ path: picture });
    // The console takes no answer to what has just appeared: a person reads first.
    await sleep(3000);
    const send = phone.getByRole('button', { name: 'Send' });
    await send.tap();
    await until('the answer is there', async () => {
      if (await phone.getByText('Press again').isVisible()) await send.tap();
      return (await asked()).length === 0;
    });
    recorded.push(`\n> ${asks}\n>\n> ( ) ${labels.join(' · ( ) ')}\n\nTouched: _${labels[0]}_, then _Send_.`);
  } finally {
    await browser.close();
  }
}

/** @returns {Promise<{ state: string, waitsFor?: string }[]>} */
async function listed() {
  return JSON.parse(await printed('handraise ls -D --json'));
}

/** @returns {Promise<unknown[]>} */
async function asked() {
  return JSON.parse(await printed('handraise inbox --json'));
}

/** @param {string} command */
async function printed(command) {
  return (await inShell(command, { cwd: workspace, env })).output;
}

/** @param {string} words */
function say(words) {
  recorded.push(recorded.length === 0 ? words : `\n${words}`);
}

/** @param {string} command */
async function run(command) {
  const { output, code } = await inShell(command, { cwd: workspace, env });
  const shown = output.trim() === '' ? '' : `${output.trimEnd()}\n`;
  recorded.push(`\n\`\`\`console\n$ ${command}\n${shown}${code === 0 ? '' : `[exit ${code}]\n`}\`\`\``);
}

/** @param {string} command */
async function quietly(command) {
  const { output, code } = await inShell(command, { cwd: workspace, env });
  if (code !== 0) console.error(`${command} ended with ${code}:\n${output}`);
}
