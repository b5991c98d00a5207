import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import { settlementWords } from '../domain/settlement-words.js';
import type { PromptId } from '../protocol/id.js';
import type { Answer, Prompt } from '../protocol/prompt.js';
import { writeJson, writeMessage } from './output.js';

/** A person waits so long to see that the agent has the answer; a script does not wait. */
const deliveryWithinMs = 2000;
const lookEveryMs = 50;

/** Gives an answer to one prompt, or to all that are the same, and says what became of it. */
export async function sendAnswer(
  client: Client,
  given: {
    readonly id: PromptId;
    readonly answer: Answer;
    readonly allLike?: true | undefined;
    readonly json?: true | undefined;
  },
): Promise<void> {
  const { id, answer, allLike, json } = given;
  const accepted = allLike
    ? await client.prompts.answerLike(id, answer)
    : [await client.prompts.answer(id, answer)];
  if (allLike)
    writeMessage(`${accepted.length === 1 ? '1 prompt is' : `${accepted.length} prompts are`} answered`);
  const isWatched = process.stderr.isTTY && !json;
  const prompts = isWatched ? await delivered(client, accepted) : accepted;
  for (const prompt of prompts) writeMessage(words(prompt, { isWatched }));
  if (json) writeJson(allLike ? prompts : prompts[0]);
}

async function delivered(client: Client, accepted: readonly Prompt[]): Promise<readonly Prompt[]> {
  const until = performance.now() + deliveryWithinMs;
  let prompts = accepted;
  while (prompts.some((prompt) => !isSettled(prompt)) && performance.now() < until) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await sleep(lookEveryMs);
    // oxlint-disable-next-line no-await-in-loop -- as above
    prompts = await Promise.all(prompts.map((prompt) => client.prompts.get(prompt.id)));
  }
  return prompts;
}

function isSettled({ deliveredAt, state }: Prompt): boolean {
  return deliveredAt !== undefined || state !== 'pending';
}

function words(prompt: Prompt, { isWatched }: { readonly isWatched: boolean }): string {
  const stored = isWatched ? ' and stored; it is delivered as soon as the agent can be reached' : '';
  const receipt = isSettled(prompt) ? 'accepted → delivered' : `accepted${stored}`;
  return `${prompt.id} of ${prompt.threadId}: ${settlementWords(prompt)} (${receipt})`;
}
