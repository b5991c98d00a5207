import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runtimeEnvironment, writeRuntimeFiles } from '../../dist/simulator/index.js';

/** A home and a workspace in which the real Claude talks to the simulator. @param {string} url @param {string} home */
export async function claudePlace(url, home) {
  const cwd = join(home, 'workspace');
  await mkdir(cwd, { recursive: true });
  const environment = runtimeEnvironment('claude', { url, home });
  await writeRuntimeFiles(environment);
  // Claude Code refuses bypassPermissions to root unless it is told that it sits in a sandbox.
  return { cwd, env: { PATH: process.env['PATH'] ?? '', IS_SANDBOX: '1', ...environment.env } };
}
