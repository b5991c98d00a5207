import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from '../../client/api-failure.js';
import type { Client } from '../../client/client.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { settlementWords } from '../../domain/words/settlement-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import { Failure } from '../../protocol/failure.js';
import type { Prompt } from '../../protocol/prompt.js';
import { untilReachable } from '../follow/until-reachable.js';
import { WorkerReplacement } from '../follow/worker-replacement.js';
import { writeMessage } from '../output.js';
import { sendAnswer } from '../send-answer.js';
import { coloursOf } from '../terminal/colours.js';
import { KeyRepeats } from '../terminal/key-repeats.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { askPrompt } from './ask-prompt.js';

const lookEveryMs = 500;

/** What became of a prompt that was put to a person: answered by them or by somebody else, put off, or they want to leave. */
export type AnsweredHere = 'answered' | 'settled' | 'put_off' | 'left';

/** One terminal at which prompts are answered, one after the other; a key that is held does not answer the next one. */
export class AnswerPlace implements Disposable {
  readonly #client: Client;
  readonly #isPlain: boolean;
  readonly #repeats = new KeyRepeats();
  readonly #screen = new LiveScreen({
    data: process.stdout,
    messages: process.stderr,
    colours: coloursOf(process.stderr),
    now: Date.now,
  });

  /** `isPlain` asks in lines, also where lists can be drawn. */
  constructor(client: Client, { isPlain = false }: { readonly isPlain?: boolean } = {}) {
    this.#client = client;
    this.#isPlain = isPlain;
  }

  [Symbol.dispose](): void {
    this.#screen[Symbol.dispose]();
  }

  /** Asks until the prompt is settled or left; where the worker dies meanwhile, again when it is back. */
  async ask(prompt: Prompt, options: { readonly allLike?: true | undefined } = {}): Promise<AnsweredHere> {
    const client = this.#client;
    let isStated = false;
    for (;;) {
      const watching = new AbortController();
      try {
        const asker = await client.threads.get(prompt.threadId);
        const settled = this.#settled(prompt, watching);
        const { signal } = watching;
        const reply = await askPrompt(prompt, {
          client,
          asker,
          screen: this.#screen,
          signal,
          repeats: this.#repeats,
          isStated,
          isPlain: this.#isPlain,
        });
        isStated = true;
        const isCalledOff = signal.aborted;
        watching.abort();
        if (reply.kind === 'put_off') return 'put_off';
        if (reply.kind === 'interrupted' || (reply.kind === 'called_off' && !isCalledOff)) return 'left';
        if (reply.kind === 'called_off') return this.#tellSettled(await settled);
        await sendAnswer(client, { id: prompt.id, answer: reply.answer, allLike: options.allLike });
        return 'answered';
      } catch (error) {
        watching.abort();
        if (!(error instanceof Failure)) throw error;
        await this.#mend(error, prompt);
        const now = await client.prompts.get(prompt.id);
        if (!isOpenPrompt(now)) return this.#tellSettled(now);
      }
    }
  }

  /** A refused answer leaves the prompt open, so it is asked again; a worker that is gone is started again. */
  async #mend(failure: Failure, { id }: Prompt): Promise<void> {
    const isRefused = failure instanceof ApiFailure && (failure.status === 422 || failure.status === 409);
    if (isRefused) return writeMessage(failure.message);
    if (failure.code !== 'unavailable') throw failure;
    writeMessage(`The worker is gone. Nothing was decided; ${id} is asked again when a worker is there.`);
    new WorkerReplacement(writeMessage).begin();
    await untilReachable(this.#client, new AbortController().signal);
  }

  /** The prompt once somebody else has settled it; whoever is asked about it is called off. */
  async #settled(prompt: Prompt, watching: AbortController): Promise<Prompt> {
    const { signal } = watching;
    for (;;) {
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return prompt;
      const now = await this.#client.prompts.get(prompt.id).catch(() => prompt);
      if (isOpenPrompt(now)) continue;
      watching.abort();
      return now;
    }
  }

  #tellSettled(prompt: Prompt): 'settled' {
    const by = prompt.actor === undefined ? '' : `, by ${actorWords(prompt.actor)}`;
    writeMessage(`${prompt.id}: ${plainLine(settlementWords(prompt))}${by}`);
    return 'settled';
  }
}

/** Whether somebody sits here who can be asked. */
export function isAttended(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY;
}
