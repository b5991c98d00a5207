import { InvalidArgumentError } from 'commander';
import { UnansweredRules } from '../protocol/prompt.js';

const form = 'Write it as KIND=POLICY:SECONDS, for example approval=deny:3600';

/** Reads what happens to prompts of one kind that nobody answers in time, and adds it to what was given before. */
export function toUnanswered(text: string, before: UnansweredRules = {}): UnansweredRules {
  const [, kind = '', policy, seconds] = /^([a-z_]+)=([a-z_]+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (policy === undefined) throw new InvalidArgumentError(`${form}.`);
  if (!Object.hasOwn(UnansweredRules.shape, kind)) {
    throw new InvalidArgumentError(
      `${form}. KIND is one of ${Object.keys(UnansweredRules.shape).join(', ')}.`,
    );
  }
  if (Object.hasOwn(before, kind)) throw new InvalidArgumentError(`You already gave a rule for ${kind}.`);
  const read = UnansweredRules.safeParse({ ...before, [kind]: { policy, afterSeconds: Number(seconds) } });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const why =
    issue?.code === 'invalid_value'
      ? `POLICY for ${kind} is one of ${issue.values.join(', ')}`
      : 'SECONDS must be greater than 0';
  throw new InvalidArgumentError(`${form}. ${why}.`);
}
