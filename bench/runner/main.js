// Compares handraise-runner with a bare script on the same SDK and with a new `claude -p --resume` per turn,
// all against the same simulated model, taking turns in one run. Absolute times are this machine's; read the ratios.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSimulator } from '../../dist/simulator/index.js';
import { claudeBinary, claudePlace } from '../shared/claude-place.js';
import { alternate, Comparison } from '../shared/comparison.js';
import { machine, machineLine } from '../shared/machine.js';
import { median } from '../shared/median.js';
import { Host } from './host.js';

const rounds = { warm: 15, cold: 7, deltas: 5 };
const root = new URL('../..', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'handraise-bench-'));
const simulator = await startSimulator({ keep: 0 });

const commands = {
  runner: [join(root, 'bin/handraise-runner.js')],
  bare: [join(root, 'bench/runner/bare.js')],
};
const kinds = /** @type {const} */ (['bare', 'runner']);
const results = new Comparison(kinds);

try {
  const where = await claudePlace(simulator.url, join(folder, 'shared'));
  await alternate(rounds.cold, kinds, async (kind) => {
    const host = new Host(commands[kind], where);
    results.record(
      'new session to first text, ms',
      kind,
      (await host.turn('[[text hello]]')).firstTextSinceStart,
    );
    await host.close();
  });

  const hosts = { runner: new Host(commands.runner, where), bare: new Host(commands.bare, where) };
  for (const kind of kinds) await hosts[kind].turn('[[text first]]');
  await alternate(rounds.warm, kinds, async (kind) => {
    results.record('warm turn, ms', kind, (await hosts[kind].turn('[[text warm]]')).ms);
  });
  for (const kind of kinds) {
    const { rss, pss } = hosts[kind].memory();
    results.record('resident memory after warm turns, RSS MB', kind, rss);
    results.record('resident memory after warm turns, PSS MB', kind, pss);
  }
  await alternate(rounds.deltas, kinds, async (kind) => {
    const turn = await hosts[kind].turn('[[deltas 5000 word]]');
    if (turn.deltas !== 5000) throw new Error(`${kind} delivered ${turn.deltas} of 5,000 deltas`);
    results.record('5,000 deltas, ms', kind, turn.ms);
    results.record('5,000 deltas, events per second', kind, (turn.deltas / turn.ms) * 1000);
    results.record('5,000 deltas, CPU seconds of the host', kind, turn.cpu);
  });
  for (const kind of kinds) {
    const { rss, pss } = hosts[kind].memory();
    results.record('resident memory after 25,000 deltas, RSS MB', kind, rss);
    results.record('resident memory after 25,000 deltas, PSS MB', kind, pss);
    await hosts[kind].close();
  }

  const perTurn = await resumePerTurn(await claudePlace(simulator.url, join(folder, 'resume')));
  report(perTurn);
} finally {
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}

/** A new process per turn, as scripts around the CLI do it. @param {{ cwd: string, env: Record<string, string> }} where */
async function resumePerTurn(where) {
  const claude = claudeBinary();
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
  console.log(machineLine(machine()));
  console.log(
    `medians of ${rounds.cold} new sessions, ${rounds.warm} warm turns, ${rounds.deltas} turns of 5,000 deltas, alternating\n`,
  );
  for (const line of results.lines()) console.log(line);
  const warm = results.median('warm turn, ms', 'runner');
  console.log(
    `\nnew "claude -p --resume" per turn: ${perTurn.toFixed(0)} ms, ${(perTurn / warm).toFixed(1)} times a warm turn of the runner`,
  );
}
