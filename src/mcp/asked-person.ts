import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RELATED_TASK_META_KEY, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../client/client.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { Prompt } from '../protocol/prompt.js';
import { filledAnswer, promptForm } from './prompt-form.js';
import { decideElsewhere } from './work-report.js';

/** What became of offering a prompt: whatever it was, a prompt without an answer is still open. */
export type Offered =
  | { readonly kind: 'answered'; readonly prompt: Prompt }
  | { readonly kind: 'settled_elsewhere' }
  | { readonly kind: 'open'; readonly why: string };

/** For how long one form stands; the prompt itself waits for as long as it takes. */
const longestMs = 10 * 60_000;
const lookEveryMs = 2000;

/** The person at a program that can ask (elicitation). */
export class AskedPerson {
  readonly #server: Server;
  readonly #requestId: RequestId;
  readonly #taskId: string | undefined;

  constructor(server: Server, requestId: RequestId, taskId?: string) {
    this.#server = server;
    this.#requestId = requestId;
    this.#taskId = taskId;
  }

  /** Offers a prompt as a form; only what was filled in and sent answers it. */
  async offer(prompt: Prompt, client: Client, signal: AbortSignal): Promise<Offered> {
    const thread = await client.threads.get(prompt.threadId);
    const asked = promptForm(prompt, thread);
    if ('why' in asked)
      return { kind: 'open', why: `${asked.why} Decide about it with: ${decideElsewhere(prompt)}` };
    using watch = watchSettlement(prompt, client);
    const meta = this.#taskId === undefined ? {} : { [RELATED_TASK_META_KEY]: { taskId: this.#taskId } };
    try {
      const reply = await this.#server.elicitInput(
        { ...asked.form, _meta: meta },
        {
          relatedRequestId: this.#requestId,
          timeout: longestMs,
          signal: AbortSignal.any([signal, watch.settled]),
        },
      );
      if (reply.action !== 'accept')
        return { kind: 'open', why: `It was not answered here (${reply.action}) and is still open.` };
      const answer = filledAnswer(prompt, reply.content ?? {});
      if (!answer) return { kind: 'open', why: 'Nothing was filled in, so it is still open.' };
      return { kind: 'answered', prompt: await client.prompts.answer(prompt.id, answer) };
    } catch (error) {
      signal.throwIfAborted();
      if (watch.settled.aborted) return { kind: 'settled_elsewhere' };
      return { kind: 'open', why: `It could not be answered here: ${errorSentence(error)}` };
    }
  }
}

/** Fires when somebody else has settled the prompt, so that nobody fills in a form in vain. */
function watchSettlement(prompt: Prompt, client: Client): Disposable & { readonly settled: AbortSignal } {
  const settled = new AbortController();
  const look = async () => {
    const now = await client.prompts.get(prompt.id).catch(() => prompt);
    if (now.state !== 'pending' || now.acceptedAt !== undefined) settled.abort();
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  return { settled: settled.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
