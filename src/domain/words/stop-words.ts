import { actorWords } from './actor-words.js';

const byActor = 'stopped by ';

/** Why an agent was stopped, from the reason on record: "stopped by owner", "stopped to make room for other work". */
export function stopWords(reason: string): string {
  if (reason.startsWith(byActor)) return `${byActor}${actorWords(reason.slice(byActor.length))}`;
  return reason.startsWith('to ') ? `stopped ${reason}` : `stopped: ${reason}`;
}
