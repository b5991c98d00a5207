import { readdirSync, readFileSync } from 'node:fs';

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

/**
 * What a host and the processes it started cost, without the agents themselves: CPU seconds so far and megabytes held.
 * @param {number} root
 */
export function treeCost(root) {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), statusOf(Number(name))]),
  );
  const isWithin = (/** @type {number} */ pid) => {
    for (let each = pid; each > 1; each = parents.get(each)?.parent ?? 0) {
      if (parents.get(each)?.name === 'claude') return false;
      if (each === root) return true;
    }
    return false;
  };
  const sum = { cpu: 0, rss: 0, pss: 0 };
  for (const pid of [...parents.keys()].filter(isWithin)) {
    try {
      const { rss, pss } = memoryOf(pid);
      sum.cpu += cpuSecondsOf(pid);
      sum.rss += rss;
      sum.pss += pss;
    } catch {
      // It has ended.
    }
  }
  return sum;
}

/** @param {number} pid */
function statusOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(') ');
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(stat.slice(end + 2).split(' ')[1]),
    };
  } catch {
    return { name: '', parent: 0 };
  }
}
