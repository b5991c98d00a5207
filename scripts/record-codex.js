// Has Codex ask in one terminal and be answered from another, with real commands and a scripted model, and writes what was
// seen into docs/runtimes.md. Codex is the one on the PATH, or the one that HANDRAISE_CODEX names.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../dist/simulator/index.js';
import { stable } from './recording/stable.js';

const page = new URL('../docs/runtimes.md', import.meta.url);
const begin = '<!-- Recorded by scripts/record-codex.js. -->';
const end = '<!-- End of the recording. -->';
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-record-')));
const workspace = join(root, 'shop');
await mkdir(workspace);

const simulator = await startSimulator({
  script: {
    replies: [
      { blocks: [{ ask: 'Which tone?', options: ['Friendly', 'Formal'] }] },
      {
        delayMs: 300,
        blocks: [
          { text: 'Formal it is.' },
          {
            tool: 'exec_command',
            input: {
              cmd: 'echo "Good day." > greeting.txt',
              sandbox_permissions: 'require_escalated',
              justification: 'The greeting has to be written.',
            },
          },
        ],
      },
      { delayMs: 300, blocks: [{ text: 'greeting.txt is written.' }] },
    ],
  },
});
const steered = runtimeEnvironment('codex', { url: simulator.url, home: root });
await writeRuntimeFiles(steered);
const codex = process.env.HANDRAISE_CODEX;
const env = {
  PATH: process.env.PATH,
  ...steered.env,
  HANDRAISE_HOME: join(root, '.local/state/handraise'),
  HANDRAISE_PORT: '0',
  NO_COLOR: '1',
  ...(codex === undefined ? {} : { HANDRAISE_CODEX: codex }),
};

/** What a command prints. @param {string[]} args */
async function handraise(...args) {
  const command = [program, ...args];
  return await promisify(execFile)(process.execPath, command, { env, cwd: workspace });
}

/** A command and all that it prints, as a person sees it. @param {string[]} args */
async function show(...args) {
  const { stdout, stderr } = await handraise(...args);
  shown.push(`$ handraise ${args.join(' ')}`, stdout + stderr);
}

/** Waits until somebody is asked, and gives the prompt. */
async function asked() {
  for (;;) {
    const [prompt] = JSON.parse((await handraise('inbox', '--json')).stdout);
    if (prompt) return prompt;
    await sleep(100);
  }
}

/** @type {string[]} */
const shown = [];
let first = '';
try {
  const run = spawn(process.execPath, [program, 'run', '--runtime', 'codex', 'Write greeting.txt.'], {
    env,
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  run.stdout.on('data', (text) => (first += text));
  run.stderr.on('data', (text) => (first += text));
  const ended = once(run, 'exit');
  // The worker that it starts is there by then.
  while (!first.includes('?')) await sleep(100);
  const question = await asked();
  await show('inbox');
  await show('answer', question.id, 'Formal');
  const approval = await asked();
  await show('approve', approval.id);
  await ended;
} finally {
  await handraise('down', '--stop-agents').catch(() => {});
  await simulator[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const one = `$ handraise run --runtime codex "Write greeting.txt."\n${first.trimEnd()}`;
const two = shown.map((text) => text.trimEnd()).join('\n');
const recorded = stable(`\`\`\`console\n${one}\n\`\`\`\n\n\`\`\`console\n${two}\n\`\`\``, root);
const before = await readFile(page, 'utf8');
const [head, rest] = [before.indexOf(begin), before.indexOf(end)];
await writeFile(page, `${before.slice(0, head)}${begin}\n\n${recorded}\n\n${before.slice(rest)}`);
console.log('docs/runtimes.md: written');
