// Plays three agents on one repository whose work is reviewed, corrected, merged and cleaned up, with real commands, real
// agents and a scripted model, and writes what was seen into docs/landing.md; with --check it only says whether the page
// still shows what happens.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inShell } from './recording/shell.js';
import { essential, stable } from './recording/stable.js';

const page = new URL('../docs/landing.md', import.meta.url);
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-landing-')));
const workspace = join(root, 'shop');
await mkdir(workspace);

const total = (/** @type {string} */ line) => `export function total(items) {\n  ${line}\n}\n`;
const bash = (/** @type {string} */ command) => ({ tool: 'Bash', input: { command } });
const write = (/** @type {string} */ file, /** @type {string} */ text) => `cat > ${file} <<'END'\n${text}END`;
/**
 * An agent that is asked for this runs a command and says something.
 * @param {string} prompt
 * @param {string} command
 * @param {string} text
 */
const does = (prompt, command, text) => [
  { when: { prompt, round: 0 }, blocks: [bash(command)] },
  { when: { prompt, round: 1 }, delayMs: 300, blocks: [{ text }] },
];
const rounded = 'return Math.round(items.reduce((sum, item) => sum + item.price, 0) * 100) / 100;';
const commented =
  'const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100), 0);\n  return cents / 100;';
const discounted = 'return items.reduce((sum, item) => sum + item.price * (1 - (item.discount ?? 0)), 0);';
const both =
  'const cents = items.reduce((sum, item) => sum + Math.round(item.price * (1 - (item.discount ?? 0)) * 100), 0);\n  return cents / 100;';
const replies = [
  ...does(
    'Add up in cents',
    `${write('price.js', total(commented))}\nprintf 'Totals are in cents.\\n' > NOTES.md`,
    'Items are rounded one by one now, and NOTES.md says so.',
  ),
  ...does(
    'conflict',
    `git add -A && git commit -q -m 'Support discounts.'\ngit merge -q main > /dev/null 2>&1\n ${write('price.js', total(both))}\ngit add -A && git commit -q -m 'Merge main: discounts in cents'`,
    'Both are in: the discount is taken off before an item is rounded.',
  ),
  ...does('Round totals', write('price.js', total(rounded)), 'Totals are rounded to cents.'),
  ...does('Greet', write('greet.js', "export const greeting = 'Good day.';\n"), 'greet.js is there.'),
  ...does('discounts', write('price.js', total(discounted)), 'Items can have a discount.'),
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
const env = {
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  IS_SANDBOX: '1',
  SHELL: '/bin/sh',
  NO_COLOR: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...JSON.parse(steering.stdout).env,
  HANDRAISE_HOME: join(root, '.local/state/handraise'),
  HANDRAISE_PORT: '0',
};

/** @type {string[]} */
const recorded = [];
try {
  await writeFile(
    join(workspace, 'price.js'),
    total('return items.reduce((sum, item) => sum + item.price, 0);'),
  );
  await quietly(
    'git init -q -b main . && git config user.name you && git config user.email you@example.com && git add . && git commit -q -m "The shop" && handraise up -d',
  );
  await story();
} finally {
  await quietly('handraise down --stop-agents');
  simulator.kill();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const text = `${stable(recorded.join('\n'), root)
  .replaceAll(/^([*|\\/ ]+)[0-9a-f]{7} /gm, '$10123456 ')
  .replaceAll(/^(~\S* +)[0-9a-f]{7} /gm, '$10123456 ')
  .replaceAll(/ +$/gm, '')
  .replaceAll(/ {3,}(?=0123456 \[)/g, '  ')
  .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '01234567-89ab-4cde-8f01-23456789abcd')
  .replaceAll(/\b[0-9a-f]{12}\b/g, '0123456789ab')
  .replaceAll(/\b\d+(?:\.\d+)? (?:B|kB|KB|MB)\b/g, '10 kB')}\n`;
const before = await readFile(page, 'utf8').catch(() => '');
if (!process.argv.includes('--check')) {
  await writeFile(page, text);
  console.log(`docs/landing.md: ${before === text ? 'unchanged' : 'written'}`);
} else {
  const [shown, seen] = [essential(before), essential(text)];
  const first = Array.from({ length: Math.max(shown.length, seen.length) }).findIndex(
    (_, place) => seen[place] !== shown[place],
  );
  if (first >= 0) {
    console.error(
      `docs/landing.md shows\n  ${shown[first]}\nbut this happens:\n  ${seen[first]}\nIf that is right: node scripts/record-landing.js`,
    );
    process.exitCode = 1;
  }
}

/** What is done, in order, and what is said about it. */
async function story() {
  say(`# Three agents, one repository

<!-- Recorded by scripts/record-landing.js; change the story there and run it again. -->

This is a recording of real commands, real git and real Claude Code processes; only the model is scripted. Three agents work on
one repository at the same time. Their work is reviewed with two comments, corrected, merged one after another with one conflict,
and cleaned up. Times, prices, ids, commits and folders are replaced by fixed ones; \`[exit 1]\` marks an exit code other than 0.
[Review and landing](review.md) explains each command.

## Three pieces of work

Each agent gets a worktree and a branch of its own, so none of them is in the way of another, or of you.`);
  for (const [name, work] of [
    ['rounding', 'Round totals to cents.'],
    ['greeting', 'Greet the customer.'],
    ['discount', 'Support discounts.'],
  ])
    await run(`handraise run -d --worktree --permissions autonomous --name ${name} "${work}"`);
  await run('handraise wait --all rounding greeting discount');

  say(
    '## Review\n\nWhat the first agent changed, and two comments on it. They go to the agent together, as one message.',
  );
  await run('handraise diff rounding');
  await run(
    'handraise comments add rounding price.js:2 "Add up in cents: each item is rounded, then the sum."',
  );
  await run('handraise comments add rounding price.js:1 "Say in NOTES.md that totals are in cents."');
  await run('handraise comments send rounding');
  await run('handraise wait rounding');
  await run('handraise diff rounding');

  say(
    '## Merge, one after another\n\nWhat an agent has not committed is committed with the title of its work.',
  );
  await run('handraise merge rounding');
  await run('handraise merge greeting');
  say('The third agent changed the same line as the first. A conflict changes nothing:');
  await run('handraise merge discount');
  await run('git status --short');
  say('Its agent knows best what it meant, so it gets the conflict as work:');
  await run('handraise merge discount --resolve-with-agent');
  await run('handraise wait discount && handraise merge discount');
  await run('cat price.js');
  await run('git log --format="%h %s" --graph');

  say('## Clean up\n\nEverything is landed, so nothing is lost with the threads and their worktrees.');
  await run('handraise prune --older-than 0 --dry-run');
  await run('handraise prune --older-than 0');
  await run('git worktree list && git branch && handraise ls');
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
