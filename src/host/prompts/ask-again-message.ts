import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { nameUuid } from '../../process/name-uuid.js';
import type { PromptId, RunId } from '../../protocol/id.js';

/** The message that makes an agent ask again for a secret; one for each life of the agent. */
export function askAgainUuid(promptId: PromptId, runId: RunId): string {
  return nameUuid(`ask ${promptId} again in ${runId}`, 8);
}

/** Asks an agent whose call is gone to ask again: a secret goes into a call, and never into a message. */
export function askAgainMessage({ questions }: Pick<ThreadPrompt, 'questions'>): string {
  const asked = JSON.stringify(questions, undefined, 2);
  return (
    'Your process was ended while your question waited, and now the answer is there. It is a secret, so it is given only ' +
    'inside the call that asks for it, and never in a message. Ask now, with the same tool and exactly these words:\n\n' +
    `${asked}\n\nThen continue your work.`
  );
}

/** Tells an agent whose process was ended with a secret that it had just been given. */
export function secretLostMessage({ questions }: Pick<ThreadPrompt, 'questions'>): string {
  const asked = questions.map(({ question }) => `Question: ${question}`).join('\n');
  return (
    'Your question was answered with a secret, and your process was ended before you had used it. A secret is not kept, so ' +
    `ask again if you still need it.\n\n${asked}\n\nContinue your work.`
  );
}
