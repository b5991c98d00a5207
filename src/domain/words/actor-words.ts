import { plainLine } from './plain-text.js';

const user = 'user:';
const schedule = 'schedule:';

const others: Readonly<Record<string, string>> = {
  'policy:deadline': 'the deadline',
  'policy:autonomous': 'the autonomous setting',
  'policy:grant': 'an approval for this thread',
  'policy:retry': 'the automatic retry',
  'policy:verification': 'the verification',
  recorded_answer: 'an earlier answer',
};

/** Who did something, as it follows "by": the name of a token, a schedule, or the rule that acted in place of a person. */
export function actorWords(actor: string): string {
  if (actor.startsWith(schedule)) return `the schedule ${plainLine(actor.slice(schedule.length))}`;
  return others[actor] ?? plainLine(actor.startsWith(user) ? actor.slice(user.length) : actor);
}
