// Plays a newcomer's first ten minutes with real commands, a real agent and a scripted model, and writes what was seen
// into docs/first-ten-minutes.md; with --check it only says whether the page still shows what happens.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Screen } from './recording/screen.js';
import { inShell } from './recording/shell.js';
import { essential, stable } from './recording/stable.js';
import { until as waitUntil } from './recording/wait.js';

const page = new URL('../docs/first-ten-minutes.md', import.meta.url);
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-record-')));
const workspace = join(root, 'shop');
const home = join(root, '.local/state/handraise');

// As the page tells it, but at a port of its own.
const simulator = spawn(process.execPath, [program, 'sim', '--tour', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [line] = await once(simulator.stdout.setEncoding('utf8'), 'data');
const url = String(line).trim();
const steering = spawnSync(
  process.execPath,
  [program, 'sim', 'env', 'claude', '--url', url, '--home', root, '--json'],
  { encoding: 'utf8' },
);
const steered = JSON.parse(steering.stdout);
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
    'git init -q -b main . && git -c user.name=you -c user.email=you@example.com commit -q --allow-empty -m "The shop"',
  );
  await story();
} finally {
  await quietly('handraise down --stop-agents');
  simulator.kill();
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

This is a recording of real commands and a real Claude Code process; only the model is scripted. Times, prices, ids and
folders are replaced by fixed ones, so that the page changes only when Handraise does. \`[exit 1]\` marks an exit code
other than 0. Keys that a person presses are shown in ‹brackets›.`);

  say(`## Set up

You need nothing but the package (\`npm install -g handraise\`) and git. The scripted model replies to what is said on this
page, so no key is needed and nothing is spent. Everything below happens in this terminal: \`sim env\` gives the agent and
Handraise a private home, and nothing of yours is touched. Ids differ for you: type the ones that you see.

\`\`\`console
$ handraise sim --tour > /dev/null &
handraise: The simulator is ready. Ctrl-C stops it.
$ eval "$(handraise sim env claude)"
$ git init -q shop && cd shop
$ git -c user.name=you -c user.email=you@example.com commit -q --allow-empty -m "The shop"
\`\`\``);

  say(
    '## Start a worker\n\nThe worker stores the work, the questions and the answers. It serves the API and the web console, on this machine only.',
  );
  await run('handraise up -d');

  say(
    '## Give work to an agent and answer its questions\n\nChoose an answer with the arrow keys and Enter, or press its number. An approval shows exactly what you approve.',
  );
  await attended('handraise run "Write greeting.txt, but ask me for the tone first."', [
    { until: 'Esc decides later', press: '\u001B[B', name: '↓' },
    { until: '› 2. Formal', press: '\r', name: 'Enter' },
    { until: 'press a letter, or', press: 'y', name: 'y' },
  ]);
  await run('cat greeting.txt');

  say(
    '## Work in the background\n\n`-d` queues the work and returns. `--worktree` lets the agent work in a git worktree, on a branch of its own.',
  );
  const [updates = ''] = ids(await run('handraise run -d --worktree "Update the dependencies."'), 'dsp');
  await asked();
  say('The agent has a question. Answer it from any terminal, at any time:');
  const [question = ''] = ids(await run('handraise inbox'), 'prm');
  await run(`handraise answer ${question} 2`);
  await asked();
  say('Now the agent asks to run a command. Your approval covers exactly this command and nothing else.');
  const [approval = ''] = ids(await run('handraise inbox'), 'prm');
  await run(`handraise approve ${approval}`);
  say('`wait` exits with the exit code of the outcome, so a script can act on it.');
  await run(`handraise wait ${updates}`);

  say('## See what happened');
  await run('handraise ls');
  const [, thread = ''] = /thread +(thr_\w+)/.exec(await run(`handraise show ${updates}`)) ?? [];
  await run(`handraise logs ${updates}`);
  await run(`handraise show ${question}`);
  say('Every status has a reason and a source:');
  await run(`handraise status ${thread} --explain`);

  say(
    '## Verify the work\n\nThe agent reports success, but the check fails, so the work has failed and the exit code says so.',
  );
  const check = '--verify "test -f total.txt" --retries 0';
  await run(`handraise run ${check} "Add the total."`);
  await run(`handraise run ${check} --permissions autonomous "Add the total, and this time do it."`);

  say(
    '## Kill the worker while an agent waits\n\nAgents do not die with the worker: the agent keeps waiting, and the next worker finds it again.',
  );
  const [renaming = ''] = ids(await run('handraise run -d "Rename the shop."'), 'dsp');
  await asked();
  const { pid } = JSON.parse(await run('handraise up -d --json 2> /dev/null'));
  await run(`kill -9 ${pid}`);
  await gone(pid);
  await run('handraise up -d');
  const [open = ''] = ids(await run('handraise inbox -q'), 'prm');
  await run(`handraise answer ${open} Corner Shop`);
  await run(`handraise wait ${renaming}`);

  say('## Continue in a thread');
  const [more = ''] = ids(await run(`handraise send ${thread} "Note what you did."`), 'dsp');
  await run(`handraise wait ${more}`);

  say(
    '## Use the API\n\nPrograms can do all of this over HTTP. Every token has a name, and everything done with it is recorded under that name.',
  );
  await run('handraise token add laptop');
  await run(
    `curl -s -H "Authorization: Bearer $(handraise token show)" ${JSON.parse(await readFile(join(home, 'worker.json'), 'utf8')).url}/api/v1/threads/${thread}/diff`,
  );

  say('## Stop\n\n`down` stops the worker and leaves agents running; `--stop-agents` stops them too.');
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
  const { output, code } = await inShell(command, { cwd: workspace, env });
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
    await waitUntil(`${command} shows ${until}`, () => screen.text().includes(until), {
      seen: () => screen.text(),
      everyMs: 20,
    });
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
  await waitUntil('an agent asks', async () => (await printed('handraise inbox -q 2> /dev/null')) !== '', {
    seen: () => printed('handraise ls; handraise inbox'),
  });
}

/** @param {string} command */
async function printed(command) {
  return (await inShell(command, { cwd: workspace, env })).output;
}

/** @param {number} pid */
async function gone(pid) {
  await waitUntil(`process ${pid} is gone`, () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

/**
 * @param {string} output
 * @param {string} kind
 */
function ids(output, kind) {
  return [...output.matchAll(new RegExp(`\\b${kind}_\\w+`, 'g'))].map(([id]) => id);
}
