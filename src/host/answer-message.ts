import { createHash } from 'node:crypto';
import type { PromptId } from '../protocol/id.js';
import type { StoredPrompt } from '../store/stored-prompt.js';

/** A uuid that is the same for the same words, so that what is sent again after a crash is known to be the same. */
export function uuidOf(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The message that carries the answer to a prompt, where no request waits for it. */
export function answerUuid(promptId: PromptId): string {
  return uuidOf(`answer ${promptId}`);
}

/** An answer in words, for an agent that is not waiting inside a tool call any more. */
export function answerMessage(prompt: StoredPrompt): string {
  const answers = (prompt.answers ?? []).map(
    ({ question, answer }) => `Question: ${question}\nAnswer: ${answer.join(', ')}`,
  );
  const action = prompt.action
    ? `\n\nIt was about: ${prompt.action.tool} ${JSON.stringify(prompt.action.input)}`
    : '';
  return `You asked, and here is the answer.\n\n${answers.join('\n\n')}${action}\n\nGo on with your work.`;
}
