// Has an agent ask in one terminal and be answered from another, with real commands and a scripted model, and writes what was
// seen into docs/runtimes.md. The agent is the one on the PATH, or the one that HANDRAISE_CODEX or HANDRAISE_OPENCODE names.
// Usage: node scripts/record-runtime.js codex|opencode|acp:gemini
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../dist/simulator/index.js';
import { stable } from './recording/stable.js';
import { until } from './recording/wait.js';

const writing = 'echo "Good day." > greeting.txt';
const question = { ask: 'Which tone?', options: ['Friendly', 'Formal'] };

/** What the model does with each agent: it asks where the agent can wait for an answer, and wants to write a file. */
const runtimes = {
  codex: {
    steered: /** @type {const} */ ('codex'),
    asks: [question],
    call: {
      tool: 'exec_command',
      input: {
        cmd: writing,
        sandbox_permissions: 'require_escalated',
        justification: 'The greeting has to be written.',
      },
    },
  },
  opencode: {
    steered: /** @type {const} */ ('opencode'),
    asks: [question],
    call: { tool: 'bash', input: { command: writing, description: 'Writes the greeting' } },
  },
  'acp:gemini': {
    steered: /** @type {const} */ ('gemini'),
    asks: [],
    call: { tool: 'run_shell_command', input: { command: writing } },
  },
};

const runtime = /** @type {keyof typeof runtimes} */ (process.argv[2]);
const { steered: agent, asks, call } = runtimes[runtime] ?? fail();
const page = new URL('../docs/runtimes.md', import.meta.url);
const begin = `<!-- Recorded by scripts/record-runtime.js ${runtime}. -->`;
const end = '<!-- End of the recording. -->';
const program = fileURLToPath(new URL('../bin/handraise.js', import.meta.url));
const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-record-')));
const workspace = join(root, 'shop');
await mkdir(workspace);

const simulator = await startSimulator({
  script: {
    replies: [
      ...asks.map((ask) => ({ blocks: [ask] })),
      {
        delayMs: 300,
        blocks: [...(asks.length > 0 ? [{ text: 'Formal it is.' }] : []), call],
      },
      { delayMs: 300, blocks: [{ text: 'greeting.txt is written.' }] },
    ],
  },
});
const steered = runtimeEnvironment(agent, { url: simulator.url, home: root });
await writeRuntimeFiles(steered);
const named = ['HANDRAISE_CODEX', 'HANDRAISE_OPENCODE'].flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
});
const env = {
  PATH: process.env.PATH,
  ...steered.env,
  HANDRAISE_HOME: join(root, '.local/state/handraise'),
  HANDRAISE_PORT: '0',
  NO_COLOR: '1',
  ...Object.fromEntries(named),
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
  return await until(
    'somebody is asked',
    async () => JSON.parse((await handraise('inbox', '--json')).stdout)[0],
  );
}

/** @type {string[]} */
const shown = [];
let first = '';
try {
  const run = spawn(process.execPath, [program, 'run', '--runtime', runtime, 'Write greeting.txt.'], {
    env,
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  run.stdout.on('data', (text) => (first += text));
  run.stderr.on('data', (text) => (first += text));
  const ended = once(run, 'exit');
  // The worker that it starts is there by then.
  await until('the agent asks', () => first.includes(' asks'), { seen: () => first });
  if (asks.length > 0) {
    const asking = await asked();
    await show('inbox');
    await show('answer', asking.id, 'Formal');
  }
  const approval = await asked();
  if (asks.length === 0) await show('inbox');
  await show('approve', approval.id);
  await ended;
} finally {
  await handraise('down', '--stop-agents').catch(() => {});
  await simulator[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const one = `$ handraise run --runtime ${runtime} "Write greeting.txt."\n${first.trimEnd()}`;
const two = shown.map((text) => text.trimEnd()).join('\n');
const recorded = stable(`\`\`\`console\n${one}\n\`\`\`\n\n\`\`\`console\n${two}\n\`\`\``, root);
const before = await readFile(page, 'utf8');
const head = before.indexOf(begin);
const rest = before.indexOf(end, head);
if (head < 0 || rest < 0) throw new Error(`docs/runtimes.md has no place for it: ${begin} … ${end}`);
await writeFile(page, `${before.slice(0, head)}${begin}\n\n${recorded}\n\n${before.slice(rest)}`);
console.log('docs/runtimes.md: written');

/** @returns {never} */
function fail() {
  throw new Error(`Name one of ${Object.keys(runtimes).join(', ')}.`);
}
