import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { SpawnError } from './spawn-error.js';

// A line on stdin releases the watchdog; end of file without one means that the parent is gone.
// `kill -s KILL --` is the one spelling that dash, bash and macOS's sh all take for a group.
const SCRIPT = `trap '' HUP INT TERM; read -r released || kill -s KILL -- "-$1"`;

/** Something that kills a process group when this process ends, until it is released. */
export type GroupWatchdog = { release: () => void };

/**
 * Starts a small shell that kills a process group when this process is gone, however it went.
 * It covers what the kernel's parent-death signal does not: the children of a wrapper (codex-acp runs node
 * runs codex), a parent that died before the signal was set, and macOS. It has a session of its own and an
 * empty environment, so no search for leftovers finds it.
 */
export function watchGroup(pgid: number): GroupWatchdog {
  const watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'handraise-watchdog', String(pgid)], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The child outlives its watchdog if somebody kills that, and its pipe then breaks; neither may end us.
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  if (watchdog.pid === undefined) throw new SpawnError('spawn_failed', 'the watchdog could not be started');
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return { release: () => watchdog.stdin.end('\n') };
}
