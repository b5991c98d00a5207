import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from '../../client/api-failure.js';
import type { Client } from '../../client/client.js';
import { type Asker, askText } from '../../domain/words/ask-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { type ApprovalAbilities, allAbilities } from '../ask/approval-menu.js';
import { askInline } from '../ask/ask-inline.js';
import { askPlainly } from '../ask/ask-plainly.js';
import type { PersonReply } from '../ask/person-reply.js';
import { statement } from '../ask/statement.js';
import { coloursOf } from '../terminal/colours.js';
import { isCapable } from '../terminal/key-input.js';
import { KeyRepeats } from '../terminal/key-repeats.js';
import { readTypedLine } from '../terminal/keyboard.js';
import type { LiveScreen } from '../terminal/live-screen.js';

const lookEveryMs = 250;

/** What a person decides about work that they watch. */
export type Leave = 'detach' | 'cancel';

export interface AttendantOptions {
  readonly client: Client;
  /** Whose agent asks. */
  readonly asker: Asker | undefined;
  readonly screen: LiveScreen;
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
    this.#wantsToLeave = true;
    this.#current?.abort();
    this.#wake();
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
      const reply = await this.#ask(await client.prompts.get(id), signal);
      if (reply.kind === 'interrupted') {
        this.#wantsToLeave = true;
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
        await this.#untilReachable(signal);
        return;
      }
      screen.tell(`! ${plainLine(error.message)}`);
      // A refused answer leaves the prompt open, so it is asked again; anything else is out of our hands.
      if (!(error instanceof ApiFailure && error.status === 422)) this.settled(id);
    }
  }

  /** Nothing was decided: the same is asked again when a worker is there; until then whoever follows the work tells. */
  async #untilReachable(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#options.client.health();
        return;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #ask(prompt: Prompt, signal: AbortSignal): Promise<PersonReply> {
    const { screen, asker } = this.#options;
    const isInline = isCapable();
    const can = prompt.kind === 'approval' ? await this.#abilitiesOf(prompt) : allAbilities;
    const printed = isInline ? statement(prompt, asker) : askText(prompt, asker);
    if (!this.#stated.has(prompt.id)) {
      this.#stated.add(prompt.id);
      screen.tell(coloursOf(process.stderr).yellow(printed));
    }
    return isInline
      ? askInline(prompt, can, { screen, signal, printed, repeats: this.#repeats })
      : askPlainly(prompt, can, { signal, printed });
  }

  async #abilitiesOf({ threadId }: Prompt): Promise<ApprovalAbilities> {
    const { client } = this.#options;
    const [{ runtime }, runtimes] = await Promise.all([client.threads.get(threadId), client.runtimes()]);
    const can = runtimes.find(({ name }) => name === runtime)?.capabilities ?? {};
    return { editedInput: can['editedInput'] === true, denyWithMessage: can['denyWithMessage'] === true };
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
