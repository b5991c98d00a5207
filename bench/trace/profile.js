import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const shown = 12;

/** The functions in which a process spent its time, by their own time. @param {string} folder @param {string} place */
export function hottest(folder, place) {
  /** @type {Map<string, number>} */
  const times = new Map();
  let all = 0;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(place) || !name.endsWith('.cpuprofile')) continue;
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const byId = new Map(nodes.map((/** @type {any} */ node) => [node.id, node.callFrame]));
    for (const [index, id] of samples.entries()) {
      const { functionName, url } = byId.get(id) ?? {};
      // `dispatch` without a file is the profiler itself.
      if (/^\((idle|program)\)$/.test(functionName) || (functionName === 'dispatch' && !url)) continue;
      const ms = timeDeltas[index] / 1000;
      all += ms;
      const key = `${functionName || '(anonymous)'}${url ? ` (${basename(url)})` : ''}`;
      times.set(key, (times.get(key) ?? 0) + ms);
    }
  }
  const top = [...times].toSorted(([, one], [, other]) => other - one).slice(0, shown);
  return { all, top };
}
