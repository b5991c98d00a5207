// Records how a question outlives everything: ask, kill -9 of worker, runner and agent, restart, answer, and the agent goes on.
// The commands are the ones a person would type; what they print is printed as it comes.
// Usage: node scripts/record-prompt.js
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Scene } from '../test/storm/scene.js';
import { stormRuntimes } from '../test/storm/storm-runtimes.js';
import { signalIn } from '../test/storm/victims.js';
import { until } from './recording/wait.js';

const program = new URL('../bin/handraise.js', import.meta.url).pathname;
const execute = promisify(execFile);
const scene = await Scene.open();
scene.simulator.setScript({
  replies: [{ when: { prompt: 'here is the answer' }, blocks: [{ text: 'Deployed to staging.' }] }],
});
const workspace = await scene.makeFolder('project');
const home = await scene.makeFolder('home');
const env = { ...scene.env, HANDRAISE_HOME: home, NO_COLOR: '1' };
const place = { workspace, mark: scene.mark, process: stormRuntimes.claude.process };

/** @param {...string} args */
async function handraise(...args) {
  const line = args.map((arg) => (/[\s|[]/.test(arg) ? `'${arg}'` : arg)).join(' ');
  console.log(`$ handraise ${line}`);
  const { stdout, stderr } = await execute(process.execPath, [program, ...args], { env, cwd: workspace });
  console.log(shortened(stdout + stderr));
  return stdout.trim();
}

/** @param {string} text */
function shortened(text) {
  return text.replaceAll(workspace, '~/project').trimEnd();
}

async function up() {
  console.log('$ handraise up &');
  const worker = spawn(process.execPath, [program, 'up', '--port', '0', '--json'], { env, cwd: workspace });
  await once(worker.stdout, 'data');
  return worker;
}

/** @param {string} id */
async function stateOf(id) {
  const { stdout } = await execute(process.execPath, [program, 'show', id, '--json'], {
    env,
    cwd: workspace,
  });
  return JSON.parse(stdout).state;
}

try {
  const first = await up();
  const text = 'Deploy it. [[ask Which target? | staging | production]]';
  const id = await handraise('run', '--detach', text);
  await until('the work waits for an answer', async () => (await stateOf(id)) === 'waiting');
  await handraise('inbox');

  console.log(`$ kill -9 ${first.pid}   # the worker; then its runner and the agent`);
  first.kill('SIGKILL');
  signalIn('runner', place, 'SIGKILL');
  signalIn('agent', place, 'SIGKILL');
  await once(first, 'exit');
  console.log(`$ pgrep -f 'handraise|claude' | wc -l\n${(await scene.orphans()).length}`);

  await up();
  await handraise('status');
  const { stdout } = await execute(process.execPath, [program, 'inbox', '--json'], { env, cwd: workspace });
  const [prompt] = JSON.parse(stdout);
  await handraise('answer', prompt.id, 'staging');
  await handraise('wait', id);
  await handraise('logs', id);
  await handraise('down', '--stop-agents');
} finally {
  await scene.close();
}
