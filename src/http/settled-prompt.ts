import type { Prompts } from '../host/host.js';
import { Failure } from '../protocol/failure.js';
import type { PromptId } from '../protocol/id.js';
import { HttpFailure } from './problem.js';

/** Does something with a prompt; if that was settled before, the refusal carries the prompt as it stands. */
export async function withSettledPrompt<Result>(
  prompts: Prompts,
  id: PromptId | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'prompt_settled' || id === undefined) throw error;
    throw new HttpFailure('prompt_settled', error.message, { members: { prompt: await prompts.get(id) } });
  }
}
