import type { Prompt } from '../protocol/prompt.js';
import { duration } from './age.js';

/** How far an answer has come, one line a step; nothing while there is none. */
export function receiptLines({ state, acceptedAt, deliveredAt, consumedAt }: Prompt): string[] {
  if (acceptedAt === undefined) return [];
  const later = (at: string) => `${at}, ${duration(Date.parse(at) - Date.parse(acceptedAt))} later`;
  return [
    `accepted ${acceptedAt}`,
    ...(deliveredAt === undefined
      ? state === 'pending'
        ? ['stored; it is delivered as soon as the agent can be reached']
        : []
      : [`delivered ${later(deliveredAt)}`]),
    ...(consumedAt === undefined ? [] : [`consumed ${later(consumedAt)}`]),
  ];
}
