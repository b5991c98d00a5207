// A worker as `handraise up` starts it, but for one thing: it can be told to die at a moment of its work.
// Each line on stdin is a new plan; what it prints is where it is, and then that it has heard of a plan.
import { createInterface } from 'node:readline';
import { startWorker } from '../../dist/compose.js';

/**
 * @typedef {{ readonly moment: string, readonly after: number }} Plan  after so many times that the moment has come
 */

/** @type {{ home: string, settings: import('../../dist/compose.js').WorkerStart['settings'], plan: Plan | null }} */
const { home, settings, plan: first } = JSON.parse(process.argv[2] ?? '{}');
let plan = first;
let left = first?.after ?? 0;

const worker = await startWorker({
  home,
  settings,
  env: process.env,
  log: (line) => process.stderr.write(`${line}\n`),
  // A real kill, at the very moment, with nothing flushed.
  failpoint: (moment) => {
    if (moment === plan?.moment && --left <= 0) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`${JSON.stringify({ url: worker.url })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  plan = JSON.parse(line);
  left = plan?.after ?? 0;
  process.stdout.write(`${JSON.stringify({ armed: plan })}\n`);
});

// As `up` does it: agents keep running.
const terminated = new Promise((resolve) => process.once('SIGTERM', resolve));
await Promise.race([worker.done, terminated]);
await worker[Symbol.asyncDispose]();
process.exit(0);
