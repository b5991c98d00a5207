// `npm run bench:peers`: the same work through the bare SDK, our runner, our worker with SSE, claude-agent-acp and sandbox-agent, with one
// Claude Code and one simulated model, taking turns in one run. Absolute times are this machine's; read the ratios to the bare SDK.
// Usage: node bench/peers/main.js [--rounds 7] [--only worker,sandbox-agent]
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../../dist/simulator/index.js';
import { claudeBinary, claudePlace } from '../shared/claude-place.js';
import { alternate } from '../shared/comparison.js';
import { machine, machineLine } from '../shared/machine.js';
import { treeCost } from '../shared/process-cost.js';
import { openClaudeAgentAcp } from './hosts/claude-agent-acp.js';
import { openResidentSdk } from './hosts/resident-sdk.js';
import { openRunner } from './hosts/runner.js';
import { openSandboxAgent } from './hosts/sandbox-agent.js';
import { openWorker } from './hosts/worker.js';
import { installedPeers } from './installed.js';
import { Table } from './table.js';

/** @type {Readonly<Record<string, (place: import('./hosts/seen.js').Place) => Promise<import('./hosts/seen.js').Host>>>} */
const openers = {
  'bare SDK': openResidentSdk,
  runner: openRunner,
  worker: openWorker,
  'claude-agent-acp': openClaudeAgentAcp,
  'sandbox-agent': openSandboxAgent,
};
const fromNpm = new Set(['claude-agent-acp', 'sandbox-agent']);
const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } });
const rounds = Number(values.rounds ?? 7);
const wanted = values.only?.split(',');
const names = Object.keys(openers).filter((name) => name === 'bare SDK' || !wanted || wanted.includes(name));
const letters = 20_000;

const folder = await mkdtemp(join(tmpdir(), 'handraise-peers-'));
const simulator = await startSimulator({ keep: 0 });
/** @type {Map<string, import('./hosts/seen.js').Host>} */
const hosts = new Map();
const table = new Table(names);
const loadBefore = loadavg()[0] ?? 0;
try {
  const peers = names.some((name) => fromNpm.has(name)) ? await installedPeers() : '';
  for (const name of names) hosts.set(name, await opened(name, peers));
  await measure();
} finally {
  await Promise.allSettled([...hosts.values()].map(async (host) => await host.close()));
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(machineLine(machine()));
console.log(`medians of ${rounds} rounds, all hosts in turn; the ratio is to the bare SDK\n`);
for (const line of table.lines()) console.log(line);
console.log(JSON.stringify({ bench: 'peers', ...machine(), loadBefore, rounds, rows: table }));

/** @param {string} name @param {string} peers */
async function opened(name, peers) {
  const own = join(folder, name.replace(' ', '-'));
  const place = await claudePlace(simulator.url, own);
  const open = openers[name];
  if (!open) throw new Error(`${name} is unknown`);
  const host = await open({ ...place, folder: own, claude: claudeBinary(), peers });
  if (host.readyMs !== null) table.record('ready, ms', name, host.readyMs);
  return host;
}

async function measure() {
  await alternate(rounds, names, async (name, round) => {
    const { session, seen } = await hostOf(name).begin('[[text hello]]', cwdOf(`${name}-${round}`));
    table.record('new session: first text, ms', name, seen.firstTextMs);
    await session.close();
    await sleep(200);
  });
  /** @type {Map<string, import('./hosts/seen.js').Session>} */
  const sessions = new Map();
  for (const name of names)
    sessions.set(name, (await hostOf(name).begin('[[text first]]', cwdOf(`${name}-warm`))).session);
  const turn = async (/** @type {string} */ name, /** @type {string} */ text) => {
    const session = sessions.get(name);
    if (!session) throw new Error(`${name} has no session`);
    return await session.turn(text);
  };
  await alternate(rounds * 2, names, async (name) => {
    const { textMs, resultMs } = await turn(name, '[[text warm]]');
    table.record('warm turn: text, ms', name, textMs);
    table.record('warm turn: result, ms', name, resultMs);
    await sleep(50);
  });
  await alternate(rounds, names, async (name) => {
    const before = treeCost(hostOf(name).pid).cpu;
    const seen = await turn(name, '[[deltas 5000 word]]');
    if (seen.letters !== letters) throw new Error(`${name} showed ${seen.letters} of ${letters} letters`);
    table.record('5,000 deltas: text, ms', name, seen.textMs);
    table.record('5,000 deltas: CPU seconds of the host', name, treeCost(hostOf(name).pid).cpu - before);
    await sleep(50);
  });
  for (const name of names) {
    const { pss, rss } = treeCost(hostOf(name).pid);
    table.record('after that, host PSS, MB', name, pss);
    table.record('after that, host RSS, MB', name, rss);
  }
  // Whoever follows a session goes on to do so, and keeps this program alive.
  for (const session of sessions.values()) await session.close();
}

/** @param {string} name */
function hostOf(name) {
  const host = hosts.get(name);
  if (!host) throw new Error(`${name} is not open`);
  return host;
}

/** @param {string} name */
function cwdOf(name) {
  const path = join(folder, 'work', name.replace(' ', '-'));
  mkdirSync(path, { recursive: true });
  return path;
}
