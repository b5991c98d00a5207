import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import { settlementWords } from '../domain/words/settlement-words.js';
import type { PromptId } from '../protocol/id.js';
import type { Answer, Prompt } from '../protocol/prompt.js';
import { writeJson, writeMessage } from './output.js';

/** How long a person waits to see that the agent has the answer; a script does not wait. */
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
  const { prompts: accepted, count } = allLike
    ? await client.prompts.answerLike(id, answer)
    : { prompts: [await client.prompts.answer(id, answer)], count: 1 };
  if (allLike) writeMessage(`Answered ${count === 1 ? '1 prompt' : `${count} prompts`}.`);
  const isWatched = process.stderr.isTTY && !json;
  const prompts = isWatched ? await delivered(client, accepted) : accepted;
  for (const prompt of prompts) writeMessage(words(prompt, { isWatched }));
  if (json) writeJson(allLike ? prompts : prompts[0]);
}

async function delivered(client: Client, accepted: readonly Prompt[]): Promise<readonly Prompt[]> {
  const until = performance.now() + deliveryWithinMs;
  let prompts = accepted;
  while (prompts.some((prompt) => !isSettled(prompt)) && performance.now() < until) {
    await sleep(lookEveryMs);
    prompts = await Promise.all(prompts.map((prompt) => client.prompts.get(prompt.id)));
  }
  return prompts;
}

function isSettled({ deliveredAt, state }: Prompt): boolean {
  return deliveredAt !== undefined || state !== 'pending';
}

function words(prompt: Prompt, { isWatched }: { readonly isWatched: boolean }): string {
  if (prompt.secretFrom !== undefined)
    return `${prompt.id} in ${prompt.threadId}: ${settlementWords(prompt)}`;
  const stored = isWatched ? '; the agent gets it as soon as it can be reached' : '';
  const receipt = isSettled(prompt) ? 'accepted → delivered' : `accepted${stored}`;
  return `${prompt.id} in ${prompt.threadId}: ${settlementWords(prompt)} (${receipt})`;
}
