import type { ProcessKey } from './process-key.js';
import type { EnvironmentMarker } from './process-source.js';

/** The variable that everything a runner starts inherits. */
export const runMarkerName = 'HANDRAISE_RUN';

/** Which runner a process belongs to: pid and start time, because a pid alone is handed out again. */
export function runMarker({ pid, startTime }: ProcessKey): EnvironmentMarker {
  return { name: runMarkerName, value: `${pid}.${startTime.replaceAll(/\W/g, '-')}` };
}

/**
 * What a program in somebody's own terminal carries, and all that it starts: it is an agent too, and belongs to no runner.
 * It outlives the process that opened it, and nobody takes it for what a dead runner has left.
 */
export function terminalMarker(keeper: ProcessKey): EnvironmentMarker {
  return { name: runMarkerName, value: `terminal-${runMarker(keeper).value}` };
}
