import { InvalidArgumentError } from 'commander';
import { UnansweredRules } from '../protocol/prompt.js';

const form = 'It is written KIND=POLICY:SECONDS, as in approval=deny:3600';

/** Reads what happens to prompts of one kind that nobody answers in time, and adds it to what was given before. */
export function toUnanswered(text: string, before: UnansweredRules = {}): UnansweredRules {
  const [, kind = '', policy, seconds] = /^([a-z_]+)=([a-z_]+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (policy === undefined) throw new InvalidArgumentError(`${form}.`);
  if (!Object.hasOwn(UnansweredRules.shape, kind)) {
    throw new InvalidArgumentError(
      `${form}; the kinds are ${Object.keys(UnansweredRules.shape).join(', ')}.`,
    );
  }
  if (Object.hasOwn(before, kind)) throw new InvalidArgumentError(`There is a rule for ${kind} already.`);
  const read = UnansweredRules.safeParse({ ...before, [kind]: { policy, afterSeconds: Number(seconds) } });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const why =
    issue?.code === 'invalid_value'
      ? `the policies of ${kind} are ${issue.values.join(', ')}`
      : issue?.message;
  throw new InvalidArgumentError(`${form}; ${why}.`);
}
