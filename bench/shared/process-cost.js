import { readFileSync } from 'node:fs';

const tick = 100; // clock ticks per second, Linux

/** What a process holds, in megabytes; PSS counts a page that several share by its share. @param {number} pid */
export function memoryOf(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (/** @type {string} */ name) =>
    Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))?.[1]) / 1000;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}

/** CPU time that a process has used so far, in seconds. @param {number} pid */
export function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / tick;
}
