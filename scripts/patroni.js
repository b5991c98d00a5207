// Kills the primary of two nodes that Patroni keeps, with a synchronous standby, while answers come; prints what was counted, and
// fails where one is lost. The packages come from Debian into a layer above this system, which is gone afterwards; it needs root.
// Usage: node scripts/patroni.js
import { spawn } from 'node:child_process';

const tests = spawn('npx', ['vitest', 'run', '--reporter=default', 'test/store/postgres/patroni.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, PATRONI: '1' },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => tests.kill(signal));
tests.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
