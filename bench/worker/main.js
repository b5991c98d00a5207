// What the worker costs between an agent and whoever watches it: turns of the real Claude through worker and SSE beside
// a bare script on its SDK, how soon work starts, how soon the worker is ready, and what it holds in memory.
// Everything runs on the same simulated model and takes turns with its baseline; absolute numbers are this machine's.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../dist/simulator/index.js';
import { claudePlace } from '../shared/claude-place.js';
import { machine, machineLine } from '../shared/machine.js';
import { measureAudience } from './audience.js';
import { measureClaims } from './claims.js';
import { measureMemory } from './memory.js';
import { measureReady } from './ready.js';
import { measureTurns } from './turns.js';

const rounds = { warm: 25, deltas: 7, cold: 9, ready: 11, claims: 5, audience: 5 };
const folder = await mkdtemp(join(tmpdir(), 'hr-bench-'));
const simulator = await startSimulator({ keep: 0 });
try {
  const place = await claudePlace(simulator.url, join(folder, 'claude'));
  const before = machine();
  console.log(machineLine(before));
  console.log(
    `medians of ${rounds.warm} warm turns, ${rounds.deltas} turns of 5,000 deltas, ${rounds.cold} new threads, ${rounds.ready} starts, ${rounds.claims} rounds of claims, alternating\n`,
  );
  const turns = await measureTurns({ folder, place, rounds });
  show(turns);
  const audience = await measureAudience({ folder, env: place.env, rounds: rounds.audience });
  show(audience);
  const ready = await measureReady(folder, rounds.ready);
  show(ready);
  const claims = await measureClaims(folder, rounds.claims);
  show(claims);
  const memory = await measureMemory(folder, place.env);
  showMemory(memory);
  const { load } = machine();
  console.log(`load at the end ${load.join(' ')}\n`);
  console.log(JSON.stringify({ machine: before, loadAtEnd: load, turns, audience, ready, claims, memory }));
} finally {
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {import('../shared/comparison.js').Comparison} results */
function show(results) {
  for (const line of results.lines()) console.log(line);
  console.log();
}

/** @param {Awaited<ReturnType<typeof measureMemory>>} memory */
function showMemory({ idle, withAgents, afterDeltas, deltasMs }) {
  const lines = { idle, 'with 8 idle agents': withAgents, 'after 8 × 1,000 deltas': afterDeltas };
  for (const [name, { pss, rss }] of Object.entries(lines)) {
    console.log(
      `${`worker ${name}`.padEnd(50)}${pss.toFixed(1).padStart(10)} MB PSS${rss.toFixed(1).padStart(10)} MB RSS`,
    );
  }
  console.log(
    `${'8 × 1,000 deltas at once, outcomes seen'.padEnd(50)}${deltasMs.toFixed(0).padStart(10)} ms\n`,
  );
}
