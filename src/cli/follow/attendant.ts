import { ApiFailure } from '../../client/api-failure.js';
import type { Client } from '../../client/client.js';
import type { Asker } from '../../domain/words/ask-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { isOpenPrompt } from '../../live/overview.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { askPrompt } from '../ask/ask-prompt.js';
import type { PersonReply } from '../ask/person-reply.js';
import { KeyRepeats } from '../terminal/key-repeats.js';
import { readTypedLine } from '../terminal/keyboard.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import { untilReachable } from './until-reachable.js';

/** What a person decides about work that they watch. */
export type Leave = 'detach' | 'cancel';

export interface AttendantOptions {
  readonly client: Client;
  /** Whose agent asks. */
  readonly asker: Asker | undefined;
  readonly screen: LiveScreen;
  /** The person reads work of others, and has nothing to cancel. */
  readonly isReader?: boolean;
  readonly onLeave: (leave: Leave) => void;
}

/** The person at the terminal: is asked what the agent asks, one question at a time, and may leave with Ctrl-C. */
export class Attendant implements AsyncDisposable {
  readonly #options: AttendantOptions;
  readonly #open: PromptId[] = [];
  readonly #stated = new Set<PromptId>();
  readonly #repeats = new KeyRepeats();
  #wantsToLeave = false;
  #isClosed = false;
  #current: AbortController | undefined;
  #wake: () => void = () => {};
  readonly #serving: Promise<void>;

  constructor(options: AttendantOptions) {
    this.#options = options;
    this.#serving = this.#serve();
  }

  asked(id: PromptId): void {
    this.#open.push(id);
    this.#wake();
  }

  /** Answered, by whomever; a dialog about it ends. */
  settled(id: PromptId): void {
    const place = this.#open.indexOf(id);
    if (place < 0) return;
    this.#open.splice(place, 1);
    if (place === 0 && !this.#wantsToLeave) this.#current?.abort();
  }

  /** Ctrl-C: asks what is meant; a second one detaches. */
  interrupt(): void {
    if (this.#wantsToLeave) {
      this.#options.onLeave('detach');
      return;
    }
    this.#leave();
    this.#current?.abort();
    this.#wake();
  }

  /** Work of one's own may be cancelled or left alone, so the person is asked; what is only read is left at once. */
  #leave(): void {
    if (this.#options.isReader) this.#options.onLeave('detach');
    else this.#wantsToLeave = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#current?.abort();
    this.#wake();
    await this.#serving;
  }

  async #serve(): Promise<void> {
    for (;;) {
      if (this.#isClosed) return;
      const [id] = this.#open;
      if (this.#wantsToLeave) await this.#talk((signal) => this.#askToLeave(signal));
      else if (id) await this.#talk((signal) => this.#askPrompt(id, signal));
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #talk(conversation: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { screen } = this.#options;
    this.#current = new AbortController();
    screen.pause();
    try {
      await conversation(this.#current.signal);
    } finally {
      this.#current = undefined;
      screen.resume();
    }
  }

  async #askPrompt(id: PromptId, signal: AbortSignal): Promise<void> {
    const { client, screen } = this.#options;
    try {
      const prompt = await client.prompts.get(id);
      if (!isOpenPrompt(prompt)) return this.settled(id);
      const reply = await this.#ask(prompt, signal);
      if (reply.kind === 'interrupted' || reply.kind === 'put_off') {
        this.#leave();
        return;
      }
      if (reply.kind === 'called_off') {
        // The end of the input, not another client: nobody will type here any more.
        if (!signal.aborted) this.settled(id);
        return;
      }
      await client.prompts.answer(id, reply.answer);
      this.settled(id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'unavailable') {
        // Nothing was decided: the same is asked again when a worker is there; until then whoever follows the work tells.
        await untilReachable(client, signal);
        return;
      }
      screen.tell(`! ${plainLine(error.message)}`);
      // A refused answer leaves the prompt open, so it is asked again; anything else is out of our hands.
      if (!(error instanceof ApiFailure && error.status === 422)) this.settled(id);
    }
  }

  async #ask(prompt: Prompt, signal: AbortSignal): Promise<PersonReply> {
    const { client, screen, asker } = this.#options;
    const isStated = this.#stated.has(prompt.id);
    this.#stated.add(prompt.id);
    return await askPrompt(prompt, { client, asker, screen, signal, repeats: this.#repeats, isStated });
  }

  async #askToLeave(signal: AbortSignal): Promise<void> {
    const ask = 'The agent is working. [d]etach and let it continue, [c]ancel the work, or Enter to stay: ';
    const typed = await readTypedLine({ ask, signal });
    this.#wantsToLeave = false;
    if (typed.kind !== 'line') {
      if (!this.#isClosed) this.#options.onLeave('detach');
      return;
    }
    const word = typed.text.trim().toLowerCase();
    if (word !== '' && 'detach'.startsWith(word)) this.#options.onLeave('detach');
    else if (word !== '' && 'cancel'.startsWith(word)) this.#options.onLeave('cancel');
    else if (word !== '') this.#wantsToLeave = true;
  }
}
