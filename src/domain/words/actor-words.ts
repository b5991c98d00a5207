import { plainLine } from './plain-text.js';

const user = 'user:';
const schedule = 'schedule:';
const pipeline = 'pipeline:';
const rule = /^policy:([a-z][a-z0-9-]*)@(\d+)$/;

const others: Readonly<Record<string, string>> = {
  'policy:deadline': 'the deadline',
  'policy:autonomous': 'the autonomous setting',
  'policy:grant': 'an approval for this thread',
  'policy:retry': 'the automatic retry',
  'policy:verification': 'the verification',
  recorded_answer: 'an earlier answer',
};

/** Who did something, as it follows "by": the name of a token, a schedule, a pipeline, or the rule that acted in place of a person. */
export function actorWords(actor: string): string {
  if (actor.startsWith(pipeline)) return `the pipeline ${plainLine(actor.slice(pipeline.length))}`;
  if (actor.startsWith(schedule)) return `the schedule ${plainLine(actor.slice(schedule.length))}`;
  const [, name, version] = rule.exec(actor) ?? [];
  if (name !== undefined) return `the rule ${name}, version ${version}`;
  return others[actor] ?? plainLine(actor.startsWith(user) ? actor.slice(user.length) : actor);
}
