// Compares handraise-runner with a bare script on the same SDK and with a new `claude -p --resume` per turn,
// all against the same simulated model, taking turns in one run. Absolute times are this machine's; read the ratios.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../../dist/simulator/index.js';
import { Host } from './host.js';

const rounds = { warm: 15, cold: 7, deltas: 5 };
const root = new URL('../..', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'handraise-bench-'));
const simulator = await startSimulator({ keep: 0 });

const commands = {
  runner: [join(root, 'bin/handraise-runner.js')],
  bare: [join(root, 'bench/runner/bare.js')],
};
/** @typedef {'runner' | 'bare'} Kind */
/** @type {Kind[]} */
const kinds = ['bare', 'runner'];

/** @param {string} name */
async function place(name) {
  const home = join(folder, name);
  const cwd = join(home, 'workspace');
  await mkdir(cwd, { recursive: true });
  const environment = runtimeEnvironment('claude', { url: simulator.url, home });
  await writeRuntimeFiles(environment);
  return { cwd, env: { PATH: process.env.PATH ?? '', IS_SANDBOX: '1', ...environment.env } };
}

/** @param {(round: number, kind: Kind) => Promise<void>} body @param {number} count */
async function alternate(count, body) {
  for (let round = 0; round < count; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) await body(round, kind);
  }
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
/** @type {Record<string, Record<Kind, number[]>>} */
const samples = {};
/** @param {string} row @param {Kind} kind @param {number} value */
function record(row, kind, value) {
  samples[row] ??= { runner: [], bare: [] };
  samples[row][kind].push(value);
}

try {
  const where = await place('shared');
  await alternate(rounds.cold, async (_round, kind) => {
    const host = new Host(commands[kind], where);
    record('new session to first text, ms', kind, (await host.turn('[[text hello]]')).firstTextSinceStart);
    await host.close();
  });

  const hosts = { runner: new Host(commands.runner, where), bare: new Host(commands.bare, where) };
  for (const kind of kinds) await hosts[kind].turn('[[text first]]');
  await alternate(rounds.warm, async (_round, kind) => {
    record('warm turn, ms', kind, (await hosts[kind].turn('[[text warm]]')).ms);
  });
  for (const kind of kinds) {
    const { rss, pss } = hosts[kind].memory();
    record('resident memory after warm turns, RSS MB', kind, rss);
    record('resident memory after warm turns, PSS MB', kind, pss);
  }
  await alternate(rounds.deltas, async (_round, kind) => {
    const turn = await hosts[kind].turn('[[deltas 5000 word]]');
    if (turn.deltas !== 5000) throw new Error(`${kind} delivered ${turn.deltas} of 5,000 deltas`);
    record('5,000 deltas, ms', kind, turn.ms);
    record('5,000 deltas, events per second', kind, (turn.deltas / turn.ms) * 1000);
    record('5,000 deltas, CPU seconds of the host', kind, turn.cpu);
  });
  for (const kind of kinds) {
    const { rss, pss } = hosts[kind].memory();
    record('resident memory after 25,000 deltas, RSS MB', kind, rss);
    record('resident memory after 25,000 deltas, PSS MB', kind, pss);
    await hosts[kind].close();
  }

  const perTurn = await resumePerTurn(await place('resume'));
  report(perTurn);
} finally {
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}

/** A new process per turn, as scripts around the CLI do it. @param {{ cwd: string, env: Record<string, string> }} where */
async function resumePerTurn(where) {
  const require = createRequire(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  const claude = join(dirname(require.resolve(`${name}/package.json`)), 'claude');
  const times = [];
  let session = '';
  for (let round = 0; round < 6; round += 1) {
    const startedAt = performance.now();
    const args = [
      '-p',
      '[[text warm]]',
      '--output-format',
      'json',
      ...(session ? ['--resume', session] : []),
    ];
    const running = promisify(execFile)(claude, args, where);
    running.child.stdin?.end();
    const { stdout } = await running;
    if (session) times.push(performance.now() - startedAt);
    session = JSON.parse(stdout).session_id;
  }
  return median(times);
}

/** @param {number} perTurn */
function report(perTurn) {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${process.platform} ${process.arch}, Claude Agent SDK on the simulator`,
  );
  console.log(
    `medians of ${rounds.cold} new sessions, ${rounds.warm} warm turns, ${rounds.deltas} turns of 5,000 deltas, alternating\n`,
  );
  console.log(`${'what'.padEnd(48)}${'bare'.padStart(10)}${'runner'.padStart(10)}${'ratio'.padStart(8)}`);
  for (const [row, { bare, runner }] of Object.entries(samples)) {
    const [a, b] = [median(bare), median(runner)];
    console.log(`${row.padEnd(48)}${digits(a)}${digits(b)}${(b / a).toFixed(2).padStart(8)}`);
  }
  const warm = median(samples['warm turn, ms']?.runner ?? []);
  console.log(
    `\nnew "claude -p --resume" per turn: ${perTurn.toFixed(0)} ms, ${(perTurn / warm).toFixed(1)} times a warm turn of the runner`,
  );
}

/** @param {number} value */
function digits(value) {
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0).padStart(10);
}
