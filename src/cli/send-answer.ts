import type { Client } from '../client/client.js';
import type { PromptId } from '../protocol/id.js';
import type { Answer, Prompt } from '../protocol/prompt.js';
import { writeJson, writeMessage } from './output.js';
import { settlementWords } from './view/settlement-words.js';

/** Gives an answer to one prompt, or to all that are the same, and says what became of it. */
export async function sendAnswer(
  client: Client,
  given: {
    readonly id: PromptId;
    readonly answer: Answer;
    readonly like?: true | undefined;
    readonly json?: true | undefined;
  },
): Promise<void> {
  const { id, answer, like, json } = given;
  const prompts = like
    ? await client.prompts.answerLike(id, answer)
    : [await client.prompts.answer(id, answer)];
  for (const prompt of prompts) writeMessage(words(prompt));
  if (json) writeJson(like ? prompts : prompts[0]);
}

function words(prompt: Prompt): string {
  const isDelivered = prompt.deliveredAt !== undefined || prompt.state !== 'pending';
  const receipt = isDelivered
    ? 'the agent has it'
    : 'accepted; it is delivered as soon as the agent can be reached';
  return `${prompt.id}: ${settlementWords(prompt)}; ${receipt}`;
}
