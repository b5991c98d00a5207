import { spawnSync } from 'node:child_process';
import { findExecutable } from './executable.js';

/** A program and what it is called with. */
export type ChildInvocation = { file: string; args: readonly string[] };

/**
 * The same invocation, so started that the kernel kills it when the thread that starts it ends.
 * setpriv becomes the program, so pid, streams and exit code stay the program's own. The kernel drops the
 * setting in forks of the child and for setuid programs; `watchGroup` is there for those and for macOS.
 */
export function dieWithParent(invocation: ChildInvocation, setpriv: string | null): ChildInvocation {
  if (setpriv === null) return invocation;
  return { file: setpriv, args: ['--pdeathsig', 'KILL', '--', invocation.file, ...invocation.args] };
}

const knownSetpriv = new Map<string | undefined, string | null>();

/** The setpriv that can do this, looked for once for each PATH; BusyBox has one without --pdeathsig. */
export function findSetpriv(path: string | undefined): string | null {
  const known = knownSetpriv.get(path);
  if (known !== undefined) return known;
  const found = process.platform === 'linux' ? lookForSetpriv(path) : null;
  knownSetpriv.set(path, found);
  return found;
}

function lookForSetpriv(path: string | undefined): string | null {
  try {
    const setpriv = findExecutable('setpriv', { path, cwd: '/' });
    const probe = spawnSync(setpriv, ['--pdeathsig', 'KILL', '--', setpriv, '--version'], {
      stdio: 'ignore',
    });
    return probe.status === 0 ? setpriv : null;
  } catch {
    return null;
  }
}
