import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { waitUntil } from './wait-until.js';

const lastPid = '/proc/sys/kernel/ns_last_pid';

/** Whether a test can say which pid the next process gets. */
export const canChoosePid = (() => {
  try {
    accessSync(lastPid, constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();

/** A process that has nothing to do with us and has this pid, until the test is over; its last owner must be gone. */
export async function startWithPid(pid: number): Promise<ChildProcess> {
  let stranger: ChildProcess | undefined;
  // Somebody else on this machine may start a process in between, and get it.
  await waitUntil(`a stranger has the pid ${pid}`, async () => {
    writeFileSync(lastPid, String(pid - 1));
    const child = spawn('sleep', ['3600'], { env: {}, stdio: 'ignore' });
    if (child.pid === pid) {
      stranger = child;
      return true;
    }
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    return false;
  });
  if (!stranger) throw new Error('no stranger was started');
  const started = stranger;
  onTestFinished(() => void started.kill('SIGKILL'));
  return started;
}
