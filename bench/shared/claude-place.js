import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

/** The Claude Code that the SDK brings. */
export function claudeBinary() {
  const require = createRequire(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  return join(dirname(require.resolve(`${name}/package.json`)), 'claude');
}
