// Takes a thread over in the agent's own terminal program and hands it back, on a real terminal (tmux) and with a scripted
// model, and writes what was seen into docs/take-over.md. The programs are those that the tests have installed.
// Usage: node scripts/record-take-over.js
import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Scene } from '../test/storm/scene.js';
import { stormRuntimes } from '../test/storm/storm-runtimes.js';
import { acceptDialogs } from './recording/claude-dialogs.js';
import { stable } from './recording/stable.js';
import { Terminal } from './recording/terminal.js';

const page = new URL('../docs/take-over.md', import.meta.url);
const begin = '<!-- Recorded by scripts/record-take-over.js. -->';
const end = '<!-- End of the recording. -->';
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));

/** The programs, what each is called, how it is left, and what it asks a person the first time, who has answered it before. */
const programs = [
  {
    runtime: stormRuntimes.claude,
    title: 'Claude Code',
    leave: '/exit',
    prepare: acceptDialogs,
  },
  {
    runtime: stormRuntimes.codex,
    title: 'Codex',
    leave: '/quit',
    prepare: async (/** @type {Record<string, string>} */ env, /** @type {string} */ workspace) => {
      const trust = `\n[projects."${workspace}"]\ntrust_level = "trusted"\n`;
      await appendFile(join(env['CODEX_HOME'] ?? '', 'config.toml'), trust);
    },
  },
  { runtime: stormRuntimes.opencode, title: 'OpenCode', leave: '/exit', prepare: async () => {} },
];

const recorded = [];
for (const each of programs) recorded.push(`### ${each.title}\n\n${await record(each)}`);
const before = await readFile(page, 'utf8');
const head = before.indexOf(begin);
const rest = before.indexOf(end, head);
if (head < 0 || rest < 0) throw new Error('docs/take-over.md has no place for the recording.');
await writeFile(
  page,
  `${before.slice(0, head)}${begin}\n\n${recorded.join('\n\n')}\n\n${before.slice(rest)}`,
);
console.log('docs/take-over.md is written');

/** @param {typeof programs[number]} played */
async function record({ runtime, leave, prepare }) {
  const scene = await Scene.open(runtime);
  const workspace = await scene.makeFolder('shop');
  const home = await scene.makeFolder('home');
  const env = { ...scene.env, HANDRAISE_HOME: home, HANDRAISE_PORT: '0', NO_COLOR: '1' };
  scene.simulator.setScript({
    replies: [
      { when: { prompt: 'Call it greet' }, blocks: [{ text: 'It is called greet now.' }] },
      { when: { prompt: 'Which name' }, blocks: [{ text: 'It is called greet, as you said.' }] },
      { when: { prompt: 'Write a greeting' }, blocks: [{ text: 'The greeting is written as hello().' }] },
    ],
  });
  await prepare(scene.env, workspace);
  const handraise = async (/** @type {string[]} */ ...args) => {
    const line = args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ');
    // Both in the order in which a person sees them.
    const together = ['-c', '"$@" 2>&1', 'sh', process.execPath, program, ...args];
    const { stdout } = await promisify(execFile)('/bin/sh', together, { env, cwd: workspace });
    return `$ handraise ${line}\n${stdout.trimEnd()}`;
  };
  const terminal = new Terminal(join(home, 'tmux'));
  try {
    const first = await handraise(
      'run',
      '--runtime',
      runtime.name,
      '--name',
      'greeting',
      'Write a greeting.',
    );
    terminal.open({ cwd: workspace, env, command: [process.execPath, program, 'attach', 'greeting'] });
    await terminal.showing('written as hello()');
    terminal.type('Call it greet.');
    await terminal.showing('Call it greet.');
    terminal.key('Enter');
    await terminal.showing('It is called greet now.');
    const seen = terminal.screen();
    const meanwhile = await handraise('ls');
    await sleep(2000);
    terminal.type(leave);
    await terminal.showing(leave);
    await sleep(1000);
    terminal.key('Enter');
    await terminal.gone();
    const after = [
      await handraise('logs', 'greeting'),
      await handraise('run', '--thread', 'greeting', 'Which name has it?'),
    ].join('\n');
    const shown = `$ handraise attach greeting\n${seen}`;
    const blocks = [first, shown, meanwhile, after];
    return stable(
      blocks.map((block) => `\`\`\`console\n${block}\n\`\`\``).join('\n\n'),
      workspace,
    ).replaceAll(/\d+:\d\d [AP]M/g, '9:00 AM');
  } finally {
    terminal.close();
    await promisify(execFile)(process.execPath, [program, 'down', '--stop-agents'], { env }).catch(() => {});
    await scene.close();
  }
}
