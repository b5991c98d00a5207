import { spawnSync } from 'node:child_process';
import { lineage } from './lineage.js';
import type { ProcessRow, ProcessSource } from './process-source.js';

const COLUMNS = 'pid=,ppid=,pgid=,state=,lstart=,ucomm=';

/**
 * macOS: what ps tells. Weaker than /proc: a start time counts whole seconds, there is no session id, and the
 * environment of programs that the system protects is hidden.
 */
export const darwinProcesses: ProcessSource = {
  all: () => parseTable(ps(['-A', '-o', COLUMNS]), bootId()),
  one: (pid) => parseTable(ps(['-p', String(pid), '-o', COLUMNS]), bootId())[0] ?? null,
  line: (pid) => lineage(parseTable(ps(['-A', '-o', COLUMNS]), bootId()), pid),
  valuesIn: (pids, name) => parseValues(ps(['-p', pids.join(','), '-E', '-ww', '-o', 'pid=,command=']), name),
  marked: (marker) =>
    parseMarked(ps(['-A', '-E', '-ww', '-o', 'pid=,command=']), `${marker.name}=${marker.value}`),
  values: (name) => parseValues(ps(['-A', '-E', '-ww', '-o', 'pid=,command=']), name),
};

/** The rows of `ps -o pid=,ppid=,pgid=,state=,lstart=,ucomm=`; lstart is five words. */
export function parseTable(output: string, bootId: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const [pid, ppid, pgid, state] = words;
    if (state === undefined || words.length < 10) return [];
    const identity = { pid: Number(pid), startTime: words.slice(4, 9).join(' '), bootId };
    const name = words.slice(9).join(' ');
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), sid: null, state, name, identity }];
  });
}

/** The pids of `ps -E -o pid=,command=`, which prints the environment after the arguments, joined by spaces. */
export function parseMarked(output: string, assignment: string): Set<number> {
  const marked = output.split('\n').filter((line) => line.split(' ').includes(assignment));
  return new Set(marked.map((line) => Number.parseInt(line, 10)));
}

/** The values of a variable in the same output. */
export function parseValues(output: string, name: string): Set<string> {
  const words = output.split(/[ \n]/).filter((word) => word.startsWith(`${name}=`));
  return new Set(words.map((word) => word.slice(name.length + 1)));
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim();
  return knownBootId;
}

function ps(args: readonly string[]): string {
  return run('/bin/ps', args);
}

// lstart is a local date in words: with another language or after a change of the clocks it would read differently.
function run(file: string, args: readonly string[]): string {
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  return spawnSync(file, args, { encoding: 'utf8', env, maxBuffer: 64 * 2 ** 20 }).stdout ?? '';
}
