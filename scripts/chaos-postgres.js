// Three workers on one PostgreSQL with a standby, each on a machine of its own (network namespaces; proxies where none can be
// made): work is given, questions are answered, and workers, their ways to the server and the server itself are killed or cut
// off in between; prints what was counted, fails where something was lost or done twice, and keeps the records of that.
// Usage: node scripts/chaos-postgres.js [--dispatches 500] [--blows 40] [--seed N]
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    dispatches: { type: 'string', default: '500' },
    blows: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const { dispatches, blows, seed } = values;
if (![dispatches, blows, seed].every((value) => /^\d+$/.test(value))) {
  console.error('chaos: --dispatches, --blows and --seed take whole numbers.');
  process.exit(64);
}
const records = join(tmpdir(), `handraise-chaos-${seed}`);
// The test of the full suite, larger: one generator, one verdict.
const tests = spawn('npx', ['vitest', 'run', '--reporter=default', 'test/host/workers/chaos.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    CHAOS_DISPATCHES: dispatches,
    CHAOS_BLOWS: blows,
    CHAOS_SEED: seed,
    CHAOS_RECORDS: records,
  },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => tests.kill(signal));
tests.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
