import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { ProcessKey } from '../families/process-key.js';
import { readProcess } from '../families/process-table.js';
import { SpawnError } from './spawn-error.js';

/** A program to start that shall outlive this one: a session of its own, its output in a file. */
export type DetachedCommand = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  outputFile: string;
};

/** Starts it and lets go of it, or throws a `SpawnError`. */
export function spawnDetached(command: DetachedCommand): ProcessKey {
  const output = openSync(command.outputFile, 'a', 0o600);
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: { ...command.env },
      detached: true,
      stdio: ['ignore', output, output],
    });
    child.on('error', () => {});
    child.unref();
    const row = child.pid === undefined ? null : readProcess(child.pid);
    if (!row) throw new SpawnError('spawn_failed', `${command.file} could not be started`);
    return row.identity;
  } finally {
    closeSync(output);
  }
}
