// A worker of the simulation: a real host on a home of its own and on the common database, whose runners are stubs. The process
// of a runner is a shell that is stopped; who listens at its socket, journals and plays the agent is `runners.js`.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { composeHost } from '../../dist/compose.js';
import { RunnerConnection } from '../../dist/host/runs/runner-connection.js';
import { RunnerProcesses } from '../../dist/host/runs/runner-processes.js';

const actor = 'user:owner';
const { home, settings } = JSON.parse(process.argv[2] ?? '{}');

process.execPath = new URL('stub.sh', import.meta.url).pathname;
/** @type {Map<string, object>} */
const stubs = new Map();
// oxlint-disable-next-line typescript/unbound-method -- called with its object below
const startProcess = RunnerProcesses.prototype.start;
RunnerProcesses.prototype.start = async function start(runId, request) {
  const identity = await startProcess.call(this, runId, request);
  const words = await wordsOf(identity.pid);
  const args = words.slice(words.findIndex((word) => word.endsWith('handraise-runner.js')) + 1);
  stubs.set(args[args.indexOf('--socket') + 1] ?? '', identity);
  process.send?.({ kind: 'run', args, identity, cwd: request.cwd });
  return identity;
};
const openConnection = RunnerConnection.open.bind(RunnerConnection);
RunnerConnection.open = async (path, options) => {
  const reached = await openConnection(path, options);
  // The process of the run, and not the one that plays it.
  if (reached.kind === 'connected') Object.assign(reached.connection.hello, stubs.get(path));
  return reached;
};

const { host, store } = await composeHost({
  home,
  settings,
  env: process.env,
  log: (line) => process.send?.({ kind: 'log', line }),
});

process.on('message', (message) => void take(Object(message)));
process.send?.({ kind: 'ready', id: store.worker.id });
void tellPrompts();

/** How a process was called, once it is no longer a copy of this one. @param {number} pid */
async function wordsOf(pid) {
  for (;;) {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    if (words.includes('--socket')) return words;
    await delay(5);
  }
}

/** Tells of every question of an own thread, so that it can be answered elsewhere. */
async function tellPrompts() {
  const told = new Set();
  for await (const change of store.subscribe({ topics: ['prompt'], by: 'self' })) {
    if (change.topic !== 'prompt' || told.has(change.promptId)) continue;
    told.add(change.promptId);
    process.send?.({ kind: 'prompt', id: change.promptId });
  }
}

/** @param {{ readonly kind: string } & Record<string, any>} message */
async function take(message) {
  if (message.kind === 'give') await give(message.paths);
  else if (message.kind === 'answer') await answer(message.id);
  else if (message.kind === 'memory')
    process.send?.({ kind: 'memory', rss: process.memoryUsage.rss(), cpu: process.cpuUsage() });
  else if (message.kind === 'stop') process.exit(0);
}

/** @param {readonly string[]} paths */
async function give(paths) {
  for (const [index, path] of paths.entries()) {
    const { dispatch } = await host.dispatches.submit(
      {
        text: index % 4 === 0 ? 'Do it, and ask.' : 'Do it.',
        workspace: { path },
        runtime: 'exec',
        posture: { command: 'true' },
      },
      { actor },
    );
    void host.dispatches.ended(dispatch.id, new AbortController().signal).then(
      ({ outcome }) => process.send?.({ kind: 'ended', result: outcome?.result }),
      (error) => process.send?.({ kind: 'log', line: String(error) }),
    );
  }
}

/** @param {any} id */
async function answer(id) {
  try {
    await host.prompts.answer(id, { text: 'yes' }, actor);
  } catch (error) {
    process.send?.({ kind: 'log', line: `${id}: ${String(error)}` });
  }
}
