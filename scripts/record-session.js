// Plays a newcomer's first ten minutes with real commands, a real agent and a scripted model, and writes what was seen
// into docs/first-ten-minutes.md; with --check it only says whether the page still shows what happens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../dist/simulator/index.js';
import { model } from './recording/model.js';
import { Screen } from './recording/screen.js';
import { essential, stable } from './recording/stable.js';

const page = new URL('../docs/first-ten-minutes.md', import.meta.url);
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-record-')));
const workspace = join(root, 'shop');
const home = join(root, '.local/state/handraise');

const simulator = await startSimulator({ script: model });
const steered = runtimeEnvironment('claude', { url: simulator.url, home: root });
await writeRuntimeFiles(steered);
await mkdir(join(root, 'bin'));
await writeFile(join(root, 'bin/handraise'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
await chmod(join(root, 'bin/handraise'), 0o755);
await mkdir(workspace);
const env = {
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  IS_SANDBOX: '1',
  SHELL: '/bin/sh',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...steered.env,
  HANDRAISE_HOME: home,
  HANDRAISE_PORT: '0',
};

/** @type {string[]} */
const recorded = [];
try {
  await quietly(
    'git init -q -b main . && echo "# Shop" > README.md && git add . && git -c user.name=you -c user.email=you@example.com commit -qm "The shop"',
  );
  await story();
} finally {
  await quietly('handraise down --stop-agents');
  await simulator[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const text = `${stable(recorded.join('\n'), root)}\n`;
const before = await readFile(page, 'utf8').catch(() => '');
if (!process.argv.includes('--check')) {
  await writeFile(page, text);
  console.log(`docs/first-ten-minutes.md: ${before === text ? 'unchanged' : 'written'}`);
} else {
  const shown = essential(before);
  const seen = essential(text);
  const first = Array.from({ length: Math.max(shown.length, seen.length) }).findIndex(
    (_, place) => seen[place] !== shown[place],
  );
  if (first >= 0) {
    console.error(
      `docs/first-ten-minutes.md shows\n  ${shown[first]}\nbut this happens:\n  ${seen[first]}\nIf that is right: node scripts/record-session.js`,
    );
    process.exitCode = 1;
  }
}

/** What is done, in order, and what is said about it. */
async function story() {
  say(`# The first ten minutes

<!-- Recorded by scripts/record-session.js; change the story there and run it again. -->

Real commands, a real Claude Code process, a scripted model in place of the real one. Times, prices, ids and folders
are made equal, so that the page changes only when something else does. A mark such as \`[exit 1]\` is the exit code where
it is not 0; what a person presses stands in ‹brackets›.`);

  say(
    '## Start a worker\n\nIt keeps the work, the questions and the answers, and serves the API and the console on this machine only.',
  );
  await run('handraise up -d');

  say(
    '## Give an agent work, and answer it right there\n\nThe question is a list: arrow keys or numbers, Enter takes. An approval shows exactly what is approved.',
  );
  await attended('handraise run "Write greeting.txt, but ask me for the tone first."', [
    { until: 'Esc leaves it open', press: '\u001B[B', name: '↓' },
    { until: '› 2. Formal', press: '\r', name: 'Enter' },
    { until: 'a letter, or', press: 'y', name: 'y' },
  ]);
  await run('cat greeting.txt');

  say(
    "## Let it work in the background\n\n`-d` only queues it, `--worktree` gives it a branch of its own, so that it is in nobody's way.",
  );
  const [updates = ''] = ids(await run('handraise run -d --worktree "Update the dependencies."'), 'dsp');
  await asked();
  say('It asks. From any terminal, at any time:');
  const [question = ''] = ids(await run('handraise inbox'), 'prm');
  await run(`handraise answer ${question} 2`);
  await asked();
  say('Now it wants to run something. An approval is bound to exactly this action.');
  const [approval = ''] = ids(await run('handraise inbox'), 'prm');
  await run(`handraise approve ${approval}`);
  say('`wait` ends with the exit code of the outcome, so a script can go on from here.');
  await run(`handraise wait ${updates}`);

  say('## See what happened');
  await run('handraise ls');
  const [, thread = ''] = /thread +(thr_\w+)/.exec(await run(`handraise show ${updates}`)) ?? [];
  await run(`handraise logs ${updates}`);
  await run(`handraise show ${question}`);
  say('Every status has a reason and a source:');
  await run(`handraise status ${thread} --explain`);

  say(
    '## Done is what a check says\n\nThe agent claims success; the check disagrees, and so does the exit code.',
  );
  const check = '--verify "test -f total.txt" --retries 0';
  await run(`handraise run ${check} "Add the total."`);
  await run(`handraise run ${check} --permissions autonomous "Add the total, and this time do it."`);

  say(
    "## Kill the worker while an agent asks\n\nThe agent is not the worker's child in any way that matters: it goes on waiting.",
  );
  const [renaming = ''] = ids(await run('handraise run -d "Rename the shop."'), 'dsp');
  await asked();
  const { pid } = JSON.parse(await readFile(join(home, 'worker.json'), 'utf8'));
  await run('kill -9 $(sed -n \'s/.*"pid": \\([0-9]*\\).*/\\1/p\' "$HANDRAISE_HOME/worker.json")');
  await gone(pid);
  await run('handraise up -d');
  const [open = ''] = ids(await run('handraise inbox -q'), 'prm');
  await run(`handraise answer ${open} Corner Shop`);
  await run(`handraise wait ${renaming}`);

  say('## Go on in a thread');
  const [more = ''] = ids(await run(`handraise send ${thread} "Note what you did."`), 'dsp');
  await run(`handraise wait ${more}`);

  say(
    '## Ask the API\n\nEverything above is there for programs too. A token has a name, and the name is what is recorded.',
  );
  const [token = ''] = (await run('handraise token add laptop')).split('\n');
  await run(
    `curl -s -H "Authorization: Bearer ${token}" ${JSON.parse(await readFile(join(home, 'worker.json'), 'utf8')).url}/api/v1/threads/${thread}/diff`,
  );

  say('## Stop\n\n`down` ends the worker and no agent; `--stop-agents` ends them, too.');
  await run('handraise down --stop-agents');
}

/** @param {string} words */
function say(words) {
  recorded.push(recorded.length === 0 ? words : `\n${words}`);
}

/**
 * Runs a command as a person would type it, and records what it printed; a token is never shown.
 * @param {string} command
 */
async function run(command) {
  const child = spawn('sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  record(command, output, code);
  return output;
}

/**
 * @param {string} command
 * @param {string} output
 * @param {number} code
 */
function record(command, output, code) {
  const exit = code === 0 ? '' : `[exit ${code}]\n`;
  recorded.push(
    `\n\`\`\`console\n$ ${command}\n${output.replace(/\n*$/, output === '' ? '' : '\n')}${exit}\`\`\``,
  );
}

/** @param {string} command */
async function quietly(command) {
  await once(spawn('sh', ['-c', command], { cwd: workspace, env, stdio: 'ignore' }), 'close');
}

/**
 * Runs a command on a terminal of its own, where somebody presses keys; what stands on the screen is recorded before
 * each key.
 * @param {string} command
 * @param {{ until: string, press: string, name: string }[]} keys
 */
async function attended(command, keys) {
  const line = `stty cols 100 rows 30; ${command}`;
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qefc', line, '/dev/null'];
  const child = spawn('script', args, { cwd: workspace, env: { ...env, TERM: 'xterm', NO_COLOR: '1' } });
  const screen = new Screen();
  child.stdout.setEncoding('utf8').on('data', (chunk) => screen.write(chunk));
  const ended = once(child, 'close');
  /** @type {string[]} */
  const seen = [];
  let shown = 0;
  for (const { until, press, name } of keys) {
    while (!screen.text().includes(until)) await sleep(20);
    const lines = screen.lines();
    seen.push(...lines.slice(shown), `‹${name}›`);
    // What was asked stays; the list below it is drawn again.
    shown = lines.findIndex((each, place) => place >= shown && /^[›\s] (?:\d\.|\[\w\])/.test(each));
    child.stdin.write(press);
  }
  const [code] = await ended;
  seen.push(...screen.lines().slice(shown));
  record(command, seen.join('\n'), code);
}

/** Waits until an agent asks something that nobody has answered. */
async function asked() {
  for (;;) {
    const child = spawn('handraise', ['inbox', '-q'], {
      cwd: workspace,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    if (output !== '') return;
  }
}

/** @param {number} pid */
async function gone(pid) {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}

/**
 * @param {string} output
 * @param {string} kind
 */
function ids(output, kind) {
  return [...output.matchAll(new RegExp(`\\b${kind}_\\w+`, 'g'))].map(([id]) => id);
}
