import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '../files/errno.js';
import { lineFrom } from './lineage.js';
import type { ProcessRow, ProcessSource } from './process-source.js';

/** Linux: everything is in /proc. */
export const linuxProcesses: ProcessSource = {
  all: () => pids().flatMap((pid) => readStat(pid) ?? []),
  one: readStat,
  // Only the files of the line itself: whoever starts often does not read those of a whole machine.
  line: (pid) => lineFrom(pid, readStat),
  valuesIn: (pids, name) => new Set(pids.flatMap((pid) => valueOf(environment(pid), name))),
  marked: (marker) =>
    new Set(pids().filter((pid) => environment(pid).includes(`${marker.name}=${marker.value}`))),
  values: (name) => new Set(pids().flatMap((pid) => valueOf(environment(pid), name))),
};

/** The row of one /proc/<pid>/stat; a process may name itself with spaces, parentheses and newlines. */
export function parseStat(stat: string, bootId: string): ProcessRow | null {
  const nameStart = stat.indexOf('(') + 1;
  const nameEnd = stat.lastIndexOf(')');
  const [state, ppid, pgid, sid, ...rest] = stat.slice(nameEnd + 2).split(' ');
  // Field 22 of proc_pid_stat(5); the four before `rest` are the third to the sixth.
  const startTime = rest[15];
  if (state === undefined || startTime === undefined) return null;
  const pid = Number.parseInt(stat, 10);
  return {
    pid,
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    state,
    name: stat.slice(nameStart, nameEnd),
    identity: { pid, startTime, bootId },
  };
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function readStat(pid: number): ProcessRow | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(stat, bootId());
}

function environment(pid: number): string[] {
  return readOrNull(`/proc/${pid}/environ`)?.split('\0') ?? [];
}

function valueOf(assignments: readonly string[], name: string): string[] {
  const assignment = assignments.find((one) => one.startsWith(`${name}=`));
  return assignment === undefined ? [] : [assignment.slice(name.length + 1)];
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return knownBootId;
}

// A process ends between the listing and the reading, and another user's environment is not ours to read.
const unreadable = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Throws what says nothing about the process: with no file left to open, everybody would seem dead. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (unreadable.has(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
