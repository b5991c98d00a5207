// Answers every kind of prompt in `handraise console`, on a real terminal (tmux), with real agents and a scripted model, and
// writes what was seen into docs/terminal-console.md; with --check it only says whether the page still shows what happens.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Scene } from '../test/storm/scene.js';
import { stable } from './recording/stable.js';
import { Terminal } from './recording/terminal.js';
import { until } from './recording/wait.js';

const page = new URL('../docs/terminal-console.md', import.meta.url);
const begin = '<!-- Recorded by scripts/record-console.js. -->';
const end = '<!-- End of the recording. -->';
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
// Keys count a moment after a question came onto the screen.
const settledMs = 1000;

const option = (
  /** @type {string} */ label,
  /** @type {string} */ description,
  /** @type {string} */ preview = '',
) => ({
  label,
  description,
  ...(preview !== '' && { preview }),
});
const layout = {
  question: 'Which layout should the order page have?',
  header: 'Layout',
  multiSelect: false,
  options: [
    option('Rows', 'one below the other', '+------+\n| item |\n+------+\n| item |\n+------+'),
    option('Columns', 'side by side', '+------+------+\n| item | item |\n+------+------+'),
  ],
};
const tests = {
  question: 'Which tests should run?',
  header: 'Tests',
  multiSelect: true,
  options: [option('Unit', 'fast'), option('End to end', 'slow'), option('Load', 'very slow')],
};
const installer = `${Array.from({ length: 40 }, (_, line) => `echo step ${line + 1}`).join('\n')}\ncurl example.com/setup | sh\n`;

/** Each in a folder of its own: what is asked for, what its agent does, and what it says afterwards. */
const works = [
  { folder: 'orders', text: 'Choose a layout', tool: 'AskUserQuestion', input: { questions: [layout] } },
  { folder: 'ci', text: 'Set up the tests', tool: 'AskUserQuestion', input: { questions: [tests] } },
  { folder: 'docs', text: 'Tidy up the drafts', tool: 'Bash', input: { command: 'touch tidied' } },
  { folder: 'setup', text: 'Write an installer', tool: 'Write', input: { content: installer } },
  { folder: 'names', text: 'Make a file', tool: 'Bash', input: { command: 'touch made' } },
  { folder: 'build', text: 'Clear the build folder', tool: 'Bash', input: { command: 'rm -rf build' } },
  { folder: 'billing', text: 'Split the billing service', tool: 'ExitPlanMode', input: {} },
];

const scene = await Scene.open();
const home = await scene.makeFolder('home');
const here = await scene.makeFolder('shop');
const root = dirname(here);
const env = {
  ...scene.env,
  HANDRAISE_HOME: home,
  HANDRAISE_PORT: '0',
  HANDRAISE_SLOTS: '8',
  NO_COLOR: '1',
  LC_ALL: 'C.UTF-8',
  EDITOR: join(home, 'editor'),
};
const terminal = new Terminal(join(home, 'tmux'));
/** @type {string[]} */
const recorded = [];
try {
  await writeFile(join(home, 'editor'), '#!/bin/sh\nsed -i.bak s/made/changed/ "$1"\n', { mode: 0o755 });
  await giveWork();
  await story();
} finally {
  terminal.close();
  await promisify(execFile)(process.execPath, [program, 'down', '--stop-agents'], { env }).catch(() => {});
  await scene.close();
}

const before = await readFile(page, 'utf8');
const head = before.indexOf(begin);
const rest = before.indexOf(end, head);
if (head < 0 || rest < 0) throw new Error('docs/terminal-console.md has no place for the recording.');
const text = `${before.slice(0, head)}${begin}\n\n${recorded.join('\n\n')}\n\n${before.slice(rest)}`;
if (!process.argv.includes('--check')) {
  await writeFile(page, text);
  console.log('docs/terminal-console.md is written');
} else if (essentials(text) !== essentials(before)) {
  console.error(
    `docs/terminal-console.md does not show what happens:\n${essentials(text)}\nIf that is right: node scripts/record-console.js`,
  );
  process.exitCode = 1;
}

async function giveWork() {
  scene.simulator.setScript({
    replies: works.flatMap(({ folder, text, tool, input }) => [
      {
        when: { prompt: text, round: 0 },
        blocks: [
          {
            tool,
            input: tool === 'Write' ? { ...input, file_path: join(root, folder, 'install.sh') } : input,
          },
        ],
      },
      { when: { prompt: text, round: 1 }, blocks: [{ text: `${text}: done.` }] },
      { when: { prompt: `First: ${folder}` }, blocks: [{ text: 'I will plan it.' }] },
    ]),
  });
  for (const { folder, text, tool } of works) {
    const cwd = await scene.makeFolder(folder);
    if (tool === 'ExitPlanMode') await writePlan(cwd);
    const thread = tool === 'ExitPlanMode' ? ['--thread', 'last'] : [];
    await handraise(cwd, 'run', '-d', ...thread, text);
    await waitUntilAsked(text);
  }
}

/** Claude Code takes a plan from a file whose path it tells its model. */
async function writePlan(/** @type {string} */ cwd) {
  await handraise(
    cwd,
    'run',
    '--permission-mode',
    'plan',
    '--title',
    'Split the billing service',
    'First: billing',
  );
  const paths = scene.simulator
    .modelRequests()
    .flatMap(({ body }) => /\/[^\s"\\`]*\/plans\/[^\s"\\`]+\.md/.exec(JSON.stringify(body)) ?? []);
  const path = paths.at(-1) ?? '';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    '# Split the billing service\n\n1. Move the invoices\n2. Move the payments\n3. Delete the old tables\n',
  );
}

/** So that they wait in this order. */
async function waitUntilAsked(/** @type {string} */ text) {
  const count = works.findIndex((work) => work.text === text) + 1;
  await until(`${count} questions wait`, async () => {
    const open = JSON.parse(await handraise(here, 'inbox', '--json'));
    return open.length >= count;
  });
}

/** What is pressed, and what is seen then. */
async function story() {
  terminal.open({ cwd: here, env, command: [process.execPath, program, 'console'] });
  await terminal.showing('Needs you 7');
  keep('`handraise console`: what needs you comes first, the longest wait on top.');

  terminal.key('Enter');
  await asked('Which layout');
  keep('Enter opens the first question. The option under the cursor has its preview beside the list.');
  terminal.key('Down');
  await terminal.showing('› 2. Columns');
  terminal.key('Enter');
  await terminal.showing('Answered: Columns');
  keep('An arrow and Enter answer it. For a moment z takes the answer back.');

  await next('Which tests');
  terminal.key('Space');
  await terminal.showing('[x] Unit');
  terminal.type('3');
  await terminal.showing('[x] Load');
  terminal.type('4');
  await terminal.showing('Esc goes back to the list');
  terminal.type('and lint');
  await terminal.showing('and lint');
  keep('Several can be selected, and words of your own added.');
  terminal.key('Enter');
  await terminal.showing('Answered: Unit, Load, and lint');

  await next('asks to run: touch tidied');
  keep('An approval shows everything that the action contains.');
  terminal.type('y');
  await terminal.showing('Answered: Approve');

  await next('install.sh');
  terminal.type('y');
  await terminal.showing('Not approved.');
  keep('What is longer than the screen has to be read first: y says so and approves nothing.');
  const rest = () => {
    terminal.key('Space');
    return terminal.screen().includes('curl example.com');
  };
  if (!terminal.screen().includes('curl example.com'))
    await until('Space shows the rest of the action', rest, { seen: () => terminal.screen(), everyMs: 300 });
  await sleep(settledMs);
  keep('Space shows what has not been on the screen. Now y counts.');
  terminal.type('y');
  await terminal.showing('Answered: Approve');

  await next('asks to run: touch made');
  terminal.type('e');
  await terminal.showing('with changes');
  keep('e opens the action in `$EDITOR`; what was saved there is what was approved.');

  await next('asks to run: rm -rf build');
  terminal.type('m');
  await terminal.showing('Why, or what to do instead');
  terminal.type('use npm run clean');
  await terminal.showing('use npm run clean');
  terminal.key('Enter');
  await terminal.showing('Answered: Deny');
  keep('m denies and says why.');

  await next('approve its plan');
  keep('A plan is read like a text. y approves it.');
  terminal.type('y');
  await terminal.showing('Answered: Approve');

  terminal.type('g');
  terminal.type('h');
  await terminal.showing('Ready to review 6');
  keep('Nobody waits any more.');
  terminal.type('q');
  await terminal.gone();
}

/** Leads to the next question, and waits until keys count. */
async function next(/** @type {string} */ words) {
  // The same key again so soon would be taken for one that is held.
  await sleep(settledMs);
  terminal.key('Enter');
  await asked(words);
}

async function asked(/** @type {string} */ words) {
  await terminal.showing(words);
  await terminal.showing('Esc decides later');
  await sleep(settledMs);
}

/** @param {string} words */
function keep(words) {
  const seen = stable(terminal.screen(), root);
  recorded.push(`${words}\n\n\`\`\`text\n${seen}\n\`\`\``);
}

/** @param {string} cwd @param {...string} args */
async function handraise(cwd, ...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd, env });
  return stdout;
}

/** What must be the same each time: how much space stands between columns, and who is still at work, follows from times, which differ. @param {string} text */
function essentials(text) {
  return text
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/─+/g, '─')
    .replaceAll(/\d+ working/g, 'some working')
    .replaceAll(/[✓…] (?:accepted|delivered|consumed|waiting).*\n/g, '');
}
