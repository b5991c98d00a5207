// Plays somebody's first contact with nothing but the package: installs the file of `npm pack` into an empty prefix, with
// an empty home, and writes what two terminals showed into docs/first-contact.md. The model is scripted; nothing is spent.
// Build first: what is packed is what stands in dist/.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Screen } from './recording/screen.js';
import { inShell } from './recording/shell.js';
import { stable } from './recording/stable.js';
import { until } from './recording/wait.js';

const page = new URL('../docs/first-contact.md', import.meta.url);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-contact-')));

const packed = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root], {
  cwd: checkout,
  encoding: 'utf8',
});
const file = packed.stdout.trim().split('\n').at(-1) ?? '';
// Where packages come from is not what is recorded; an agent is hundreds of megabytes.
const packages = Object.fromEntries(
  ['registry', 'cache', 'cafile'].flatMap((name) => {
    const value = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();
    return value === 'null' || value === '' ? [] : [[`npm_config_${name}`, value]];
  }),
);
await mkdir(join(root, 'tmp'));
/** @type {Record<string, string>} */
let env = {
  HOME: root,
  TMPDIR: join(root, 'tmp'),
  PATH: `${join(root, 'packages/bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  SHELL: '/bin/sh',
  IS_SANDBOX: '1',
  HANDRAISE_PORT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...packages,
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  NO_COLOR: '1',
};
let folder = root;

/** @type {string[]} */
const recorded = [];
/** @type {import('node:child_process').ChildProcess | undefined} */
let simulator;
try {
  await story();
} finally {
  await run('handraise down --stop-agents');
  simulator?.kill();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
await writeFile(
  page,
  `${stable(recorded.join('\n'), root)
    .replaceAll(/handraise-demo-\w+/g, 'handraise-demo')
    .replaceAll(/(added \d+ packages) in \w+/g, '$1')}\n`,
);
console.log('docs/first-contact.md is written');

/** What is done, in order, and what is said about it. */
async function story() {
  say(`# First contact

<!-- Recorded by scripts/record-first-contact.js; change the story there and run it again. -->

This is a recording of somebody who has Node, git and the package, and nothing else: the file that \`npm pack\` makes is
installed into an empty prefix, with an empty home folder. The agent is a real Claude Code process and the model is
scripted. Times, prices, ids and folders are replaced by fixed ones; keys that a person presses are shown in ‹brackets›.
[The first ten minutes](first-ten-minutes.md) goes on from here.

## Install`);
  await told(`npm install -g --prefix ~/packages ./${file}`);
  await told('handraise --version');

  say('## See an agent ask, and answer it');
  const demo = await attended('handraise demo', [
    { until: 'Esc decides later', press: '\r', name: 'Enter' },
    { until: 'press a letter, or', press: 'y', name: 'y' },
  ]);
  say('What the demo prints at its end works as it is printed:');
  for (const line of demo.split('\n').filter((each) => /^ +HANDRAISE_HOME=\S+ handraise logs /.test(each)))
    await told(line.trim());
  const [, home = ''] = /HANDRAISE_HOME=(\S+)/.exec(demo) ?? [];
  say('The web console shows the same; `--print` prints the link that `handraise open` opens:');
  await told(`HANDRAISE_HOME=${home} handraise open --print`);
  await run(`HANDRAISE_HOME=${home} handraise down --stop-agents`);

  say('## Give work to an agent\n\nThe scripted model again, in the place of a real one.');
  simulator = spawn('handraise', ['sim', '--tour', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (!simulator.stdout) throw new Error('The simulator has no output.');
  const [line] = await once(simulator.stdout.setEncoding('utf8'), 'data');
  const steering = await run(
    `handraise sim env claude --url ${String(line).trim()} --home ${root} --json 2> /dev/null`,
  );
  recorded.push(
    '\n```console\n$ handraise sim --tour > /dev/null &\nhandraise: The simulator is ready. Ctrl-C stops it.\n$ eval "$(handraise sim env claude)"\n```',
  );
  env = { ...env, ...JSON.parse(steering.output).env };
  await told('git init -q shop && cd shop');
  folder = join(root, 'shop');
  await told('git -c user.name=you -c user.email=you@example.com commit -q --allow-empty -m "The shop"');

  const first = terminal('handraise run "Rename the shop."');
  await first.shows('Esc decides later');
  say('The first terminal:');
  record('handraise run "Rename the shop."', first.screen.text());
  say('Meanwhile, in a second terminal:');
  const { output } = await told('handraise inbox');
  const [prompt = ''] = /\bprm_\w+/.exec(output) ?? [];
  await told(`handraise answer ${prompt} Corner Shop`);
  await first.ended;
  say('And the first terminal again, which has noticed:');
  const shown = first.screen.text();
  recorded.push(`\n\`\`\`console\n${shown}\n\`\`\``);
  const [thread = ''] = /\bthr_\w+/.exec(shown) ?? [];
  say('## See what happened');
  await told(`handraise show ${thread}`);
  await told('handraise down --stop-agents');
}

/** @param {string} words */
function say(words) {
  recorded.push(recorded.length === 0 ? words : `\n${words}`);
}

/**
 * @param {string} command
 * @param {string} output
 */
function record(command, output) {
  recorded.push(`\n\`\`\`console\n$ ${command}\n${output.trim()}${output.trim() === '' ? '' : '\n'}\`\`\``);
}

/**
 * Runs a command that has to work, and records it.
 * @param {string} command
 */
async function told(command) {
  const result = await run(command);
  record(command, result.output);
  if (result.code !== 0) throw new Error(`${command} ended with ${result.code}:\n${result.output}`);
  return result;
}

/** @param {string} command */
async function run(command) {
  return await inShell(command, { cwd: folder, env });
}

/**
 * A command on a terminal of its own.
 * @param {string} command
 */
function terminal(command) {
  const line = `stty cols 100 rows 40; ${command}`;
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qefc', line, '/dev/null'];
  const child = spawn('script', args, { cwd: folder, env: { ...env, TERM: 'xterm' } });
  const screen = new Screen();
  child.stdout.setEncoding('utf8').on('data', (chunk) => screen.write(chunk));
  const ended = once(child, 'close');
  return {
    screen,
    ended,
    press: (/** @type {string} */ keys) => child.stdin.write(keys),
    shows: async (/** @type {string} */ words) => {
      await until(`${JSON.stringify(words)} is on the screen`, () => screen.text().includes(words), {
        seen: () => screen.text(),
      });
    },
  };
}

/**
 * Runs a command on a terminal where somebody presses keys; what stands on the screen is recorded before each key.
 * @param {string} command
 * @param {{ until: string, press: string, name: string }[]} keys
 */
async function attended(command, keys) {
  const { screen, press, shows, ended } = terminal(command);
  /** @type {string[]} */
  const seen = [];
  let shown = 0;
  for (const { until, press: key, name } of keys) {
    await shows(until);
    const lines = screen.lines();
    seen.push(...lines.slice(shown), `‹${name}›`);
    // What was asked stays; the list below it is drawn again.
    shown = lines.findIndex((each, place) => place >= shown && /^[›\s] (?:\d\.|\[\w\])/.test(each));
    press(key);
  }
  await ended;
  seen.push(...screen.lines().slice(shown));
  record(command, seen.join('\n'));
  return screen.text();
}
