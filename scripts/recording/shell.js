import { spawn } from 'node:child_process';
import { once } from 'node:events';

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
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { output, code };
}
