import type { Prompt } from '../../protocol/prompt.js';
import { duration } from '../words/age.js';

/** How far an answer has come, one line a step; nothing while there is none. */
export function receiptLines({ state, acceptedAt, deliveredAt, consumedAt }: Prompt): string[] {
  if (acceptedAt === undefined) return [];
  const later = (at: string) => `${at}, ${duration(Date.parse(at) - Date.parse(acceptedAt))} later`;
  return [
    `accepted  ${acceptedAt}`,
    ...(deliveredAt === undefined
      ? state === 'pending'
        ? ['waiting   until the agent can be reached']
        : []
      : [`delivered ${later(deliveredAt)}`]),
    ...(consumedAt === undefined ? [] : [`consumed  ${later(consumedAt)}`]),
  ];
}
