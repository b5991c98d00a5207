import { readFileSync } from 'node:fs';

// Flags of the kernel (include/linux/sched.h): the process is leaving, or a signal has ended it.
const exiting = 0x4;
const signaled = 0x400;
// The bit of SIGKILL, number 9, in the masks of /proc/PID/status.
const killBit = 1n << 8n;

/**
 * Whether a process has been killed, or ends, and still has its pid: with much memory, or on a busy machine, for seconds.
 * Undefined where the system does not tell.
 */
export function isDying(pid: number): boolean | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const [stat, status] = ['stat', 'status'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
    return saysDying({ stat: stat ?? '', status: status ?? '' });
  } catch {
    return false;
  }
}

/** The same from the texts of /proc/PID/stat and /proc/PID/status. */
export function saysDying({ stat, status }: { readonly stat: string; readonly status: string }): boolean {
  // A process may name itself with spaces and parentheses.
  const [state = '', , , , , , flags = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return true;
  if ((Number(flags) & (exiting | signaled)) !== 0) return true;
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)];
  return pending.some(([, mask]) => (BigInt(`0x${mask}`) & killBit) !== 0n);
}
