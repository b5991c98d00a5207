import * as z from 'zod';
import { ApiFailure } from '../client/api-failure.js';
import { type Answer, type AnswerRequest, Prompt } from '../protocol/prompt.js';

const Settled = z.looseObject({ prompt: Prompt });

/** An answer that can be undone for a while; not a secret, which is never stored. */
export function heldBack({ questions }: Prompt, answer: Answer, holdSeconds: number): AnswerRequest {
  return holdSeconds === 0 || questions.some(({ isSecret }) => isSecret)
    ? answer
    : { ...answer, holdSeconds };
}

/** The prompt as it stands, where an answer was refused because somebody else has settled it. */
export function settledIn(error: unknown): Prompt | undefined {
  return error instanceof ApiFailure ? Settled.safeParse(error.problem).data?.prompt : undefined;
}
