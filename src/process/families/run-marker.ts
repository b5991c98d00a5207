import type { ProcessKey } from './process-key.js';
import type { EnvironmentMarker } from './process-source.js';

/** The variable that everything a runner starts inherits. */
export const runMarkerName = 'HANDRAISE_RUN';

/** Which runner a process belongs to: pid and start time, because a pid alone is handed out again. */
export function runMarker({ pid, startTime }: ProcessKey): EnvironmentMarker {
  return { name: runMarkerName, value: `${pid}.${startTime.replaceAll(/\W/g, '-')}` };
}
