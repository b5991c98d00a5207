import type { DispatchRequest } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';

/** Refuses what no process can be given: a character NUL ends an argument and a variable. */
export function expectProcessTexts({ posture = {}, verify, verifyMerged }: DispatchRequest): void {
  const { command, model, fallbackModel, env = {} } = posture;
  const variables = Object.entries(env).map(
    ([name, value]) => [`posture.env.${name}`, name + value] as const,
  );
  const texts = [
    ['posture.command', command],
    ['posture.model', model],
    ['posture.fallbackModel', fallbackModel],
    ['verify', verify],
    ['verifyMerged', verifyMerged],
    ...variables,
  ] as const;
  const bad = texts.find(([, text]) => text?.includes('\0'));
  if (bad)
    throw new Failure(
      'invalid',
      `${bad[0]} holds the character NUL, which no program can be given. Take it out.`,
    );
}
