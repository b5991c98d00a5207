import { readFileSync, readlinkSync } from 'node:fs';
import { markedPids } from '../../dist/process/families/process-table.js';

/**
 * @typedef {'runner' | 'agent'} Victim  a part of a run
 * @typedef {{ workspace: string, mark: string, process: RegExp }} Place  process: how the command line of an agent looks
 */

/** Sends a signal to that part of the run in a folder; says whether it was there. @param {Victim} what @param {Place} where @param {NodeJS.Signals} name */
export function signalIn(what, where, name) {
  const victims = look(where)[what];
  for (const { pid } of victims) signal(pid, name);
  return victims.length > 0;
}

/** Stops that part for a while; says whether it was there. @param {Victim} what @param {Place} where @param {number} pauseMs */
export function pauseIn(what, where, pauseMs) {
  const victims = look(where)[what];
  for (const { pid } of victims) signal(pid, 'SIGSTOP');
  // The same processes again, whatever was killed around them in the meantime.
  const goOn = () => {
    for (const { pid, startTime } of victims) if (lookAt(pid).startTime === startTime) signal(pid, 'SIGCONT');
  };
  setTimeout(goOn, pauseMs);
  return victims.length > 0;
}

/** Which process the runner in a folder is. @param {Place} where */
export function runnerIn(where) {
  return look(where)
    .runner.map(({ pid, startTime }) => `${pid} since ${startTime}`)
    .join(' and ');
}

/** @param {Place} where */
function look({ workspace, mark, process: agent }) {
  const all = [...markedPids({ name: 'TEST_PROCESS_MARK', value: mark })].map(lookAt);
  const agents = all.filter(({ cwd, command }) => cwd === workspace && agent.test(command));
  // A runner that was a spare at first works elsewhere, and is known by its child.
  const runners = all.filter(
    ({ pid, command }) =>
      command.includes('handraise-runner') &&
      (command.includes(`\0${workspace}\0`) || agents.some(({ parent }) => parent === pid)),
  );
  return { runner: runners, agent: agents };
}

/** @param {number} pid */
function lookAt(pid) {
  try {
    const [, status = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = status.split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      // The 22nd field of proc_pid_stat(5); the first two come before the parenthesis.
      startTime: fields[19] ?? '',
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    };
  } catch {
    return { pid, parent: 0, startTime: '', cwd: '', command: '' };
  }
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}
