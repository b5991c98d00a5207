import { spawn } from 'node:child_process';
import { once } from 'node:events';

// A command that waits for what never comes has to say so before the test that started it is ended.
const patienceMs = 300_000;

/**
 * Runs a command as a person would type it; what it printed, to wherever, and its exit code.
 * @param {string} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
 */
export async function inShell(command, { cwd, env }) {
  const child = spawn('sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  const bound = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), patienceMs);
  const [code, signal] = await once(child, 'close');
  clearTimeout(bound);
  if (signal === 'SIGKILL') throw new Error(`This did not end in five minutes: ${command}\n${output}`);
  return { output, code };
}
