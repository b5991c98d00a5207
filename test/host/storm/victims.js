import { readFileSync, readlinkSync } from 'node:fs';
import { markedPids } from '../../../dist/process/process-table.js';

/** @typedef {'runner' | 'agent'} Victim  a part of a run */

/** Kills with SIGKILL that part of the run in a folder; says whether it was there. @param {Victim} what @param {{ workspace: string, mark: string }} where */
export function killIn(what, { workspace, mark }) {
  const all = [...markedPids({ name: 'TEST_PROCESS_MARK', value: mark })].map(lookAt);
  const agents = all.filter(
    ({ cwd, command }) => cwd === workspace && /\/claude\0.*stream-json/.test(command),
  );
  // A runner that was a spare at first works elsewhere, and is known by its child.
  const runners = all.filter(
    ({ pid, command }) =>
      command.includes('handraise-runner') &&
      (command.includes(`\0${workspace}\0`) || agents.some(({ parent }) => parent === pid)),
  );
  const victims = what === 'runner' ? runners : agents;
  for (const { pid } of victims) signal(pid);
  return victims.length > 0;
}

/** @param {number} pid */
function lookAt(pid) {
  try {
    const [, status = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return {
      pid,
      parent: Number(status.split(' ')[1]),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    };
  } catch {
    return { pid, parent: 0, cwd: '', command: '' };
  }
}

/** @param {number} pid */
function signal(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
