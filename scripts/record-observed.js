// Shows a Claude Code that somebody has started by hand, in a terminal of its own (tmux) and with a scripted model, as
// `handraise observe` and `handraise ls` see it, and writes that into docs/observe.md; with --check it only says whether the
// page still shows what happens.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFolder } from '../dist/process/files/package-folder.js';
import { claudeProgram } from '../dist/runtimes/claude/binary.js';
import { Scene } from '../test/storm/scene.js';
import { acceptDialogs } from './recording/claude-dialogs.js';
import { writeSection } from './recording/section.js';
import { inShell } from './recording/shell.js';
import { stable } from './recording/stable.js';
import { Terminal } from './recording/terminal.js';
import { until } from './recording/wait.js';

const program = new URL('../bin/handraise.js', import.meta.url).pathname;

const colours = {
  question: 'Which colour should the door have?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'like the windows' },
    { label: 'Blue', description: 'like the roof' },
  ],
};
const scene = await Scene.open();
const home = await scene.makeFolder('home');
const workspace = await scene.makeFolder('house');
const env = {
  ...scene.env,
  PATH: `${home}:${scene.env['PATH']}`,
  HANDRAISE_HOME: home,
  HANDRAISE_PORT: '0',
  COLUMNS: '120',
  NO_COLOR: '1',
  LC_ALL: 'C.UTF-8',
};
const terminal = new Terminal(join(home, 'tmux'));
/** @type {string[]} */
const recorded = [];
try {
  await writeFile(join(home, 'handraise'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  // It works until it is told to go on, so that nothing depends on the speed of the machine.
  await writeFile(join(workspace, 'sand.sh'), '#!/bin/sh\nuntil [ -e sanded ]; do sleep 0.1; done\n', {
    mode: 0o755,
  });
  scene.simulator.setScript({
    replies: [
      {
        when: { prompt: 'Paint', round: 0 },
        blocks: [{ tool: 'Bash', input: { command: './sand.sh', description: 'Sand the door' } }],
      },
      {
        when: { prompt: 'Paint', round: 1 },
        blocks: [{ tool: 'AskUserQuestion', input: { questions: [colours] } }],
      },
      { when: { prompt: 'Paint', round: 2 }, blocks: [{ text: 'The door is painted.' }] },
    ],
  });
  await acceptDialogs(scene.env, workspace);
  await quietly('handraise up -d');
  await story();
} finally {
  terminal.close();
  await quietly('handraise down --stop-agents');
  await scene.close();
}
const seen = stable(recorded.join('\n\n'), dirname(workspace))
  .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '5f3a91c0-89ab-4cde-8f01-23456789abcd')
  .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}\b(?!-)/g, '5f3a91c0-89ab');
await writeSection(new URL('../docs/observe.md', import.meta.url), {
  script: 'record-observed.js',
  recorded: seen,
});

/** What a person does in one terminal, and sees in another. */
async function story() {
  const claude = claudeProgram({ env: scene.env, packageFolder });
  const command = [claude, '--permission-mode', 'default', '--allowedTools', 'Bash'];
  terminal.open({ cwd: workspace, env: scene.env, command });
  await state('idle');
  say('Somebody has started `claude` in a terminal of their own, and has not typed anything yet.');
  await run('handraise observe');

  terminal.type('Paint the door.');
  await terminal.showing('Paint the door.');
  terminal.key('Enter');
  // What it was told is saved a moment after it begins.
  await state('busy', ({ title }) => title !== '');
  say('They give it work.');
  await run('handraise observe');

  await writeFile(join(workspace, 'sanded'), '');
  await terminal.showing(colours.question);
  await state('question', ({ status }) => status.prompt !== undefined);
  say('It asks, in their terminal:');
  recorded.push(`\`\`\`text\n${asked(terminal.screen())}\n\`\`\``);
  await run('handraise ls');

  terminal.key('Enter');
  await terminal.showing('The door is painted.');
  await state('idle');
  say('They answer there, and leave it when it has ended. Then it can become a thread:');
  await run('handraise observe');
  const [{ sessionId = '' } = {}] = await sessions();
  terminal.type('/exit');
  await terminal.showing('/exit');
  terminal.key('Enter');
  await terminal.gone();
  await run(`handraise adopt ${sessionId.slice(0, 8)}`);
  recorded.push(recorded.pop()?.replaceAll(sessionId.slice(0, 8), '5f3a91c0') ?? '');
}

/**
 * The question without what Claude Code says around it.
 * @param {string} screen
 */
function asked(screen) {
  const lines = screen.split('\n');
  const first = lines.findIndex((line) => line.includes(colours.question));
  const last = lines.findIndex((line, place) => place > first && line.includes('like the roof'));
  return lines.slice(first, last + 1).join('\n');
}

/**
 * @typedef {{ sessionId?: string, title: string, status: { state: string, prompt?: string } }} Session
 * @returns {Promise<Session[]>}
 */
async function sessions() {
  return JSON.parse((await inShell('handraise observe --json 2>/dev/null', { cwd: workspace, env })).output);
}

/**
 * Waits until the only session is in this state.
 * @param {string} wanted
 * @param {(session: Session) => boolean} isWhole
 */
async function state(wanted, isWhole = () => true) {
  await until(
    `the session is shown as ${wanted}`,
    async () => {
      const [session] = await sessions();
      return session?.status.state === wanted && isWhole(session);
    },
    { seen: async () => `${JSON.stringify(await sessions())}\n${terminal.screen()}` },
  );
}

/** @param {string} words */
function say(words) {
  recorded.push(words);
}

/** @param {string} command */
async function run(command) {
  const { output } = await inShell(command, { cwd: workspace, env });
  recorded.push(`\`\`\`console\n$ ${command}\n${output.trimEnd()}\n\`\`\``);
}

/** @param {string} command */
async function quietly(command) {
  const { output, code } = await inShell(command, { cwd: workspace, env });
  if (code !== 0) console.error(`${command} ended with ${code}:\n${output}`);
}
