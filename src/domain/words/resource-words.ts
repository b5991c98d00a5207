import type { ResourceReport } from '../../protocol/resource-use.js';
import { duration } from './age.js';
import { byteWords } from './byte-words.js';

/** How long agents were there, their processor time, their memory on average and at most; what nobody measured is a dash. */
export function resourceWords(
  resources: ResourceReport | undefined,
): [alive: string, cpu: string, memory: string, peak: string] {
  if (!resources) return ['–', '–', '–', '–'];
  const { aliveSeconds, cpuSeconds, meanMemoryBytes, peakMemoryBytes } = resources;
  return [
    duration(aliveSeconds * 1000),
    duration(cpuSeconds * 1000),
    byteWords(Math.round(meanMemoryBytes)),
    byteWords(peakMemoryBytes),
  ];
}
