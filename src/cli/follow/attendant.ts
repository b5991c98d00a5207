import { ApiFailure } from '../../client/api-failure.js';
import type { Client } from '../../client/client.js';
import { plainLine, plainText } from '../../domain/plain-text.js';
import { questionText } from '../../domain/prompt-text.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { type Abilities, allAbilities } from '../ask/approval-menu.js';
import { askInline } from '../ask/ask-inline.js';
import { askPlainly } from '../ask/ask-plainly.js';
import type { Said } from '../ask/said.js';
import { statement } from '../ask/statement.js';
import { coloursOf } from '../terminal/colours.js';
import { isCapable } from '../terminal/key-input.js';
import { readTypedLine } from '../terminal/keyboard.js';
import type { LiveScreen } from '../terminal/live-screen.js';

/** What a person decides about work that they watch. */
export type Leave = 'detach' | 'cancel';

export interface AttendantOptions {
  readonly client: Client;
  readonly screen: LiveScreen;
  readonly onLeave: (leave: Leave) => void;
}

/** The person at the terminal: is asked what the agent asks, one question at a time, and may leave with Ctrl-C. */
export class Attendant implements AsyncDisposable {
  readonly #options: AttendantOptions;
  readonly #open: PromptId[] = [];
  readonly #stated = new Set<PromptId>();
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
      // oxlint-disable-next-line no-await-in-loop -- a person does one thing at a time
      if (this.#wantsToLeave) await this.#talk((signal) => this.#askToLeave(signal));
      // oxlint-disable-next-line no-await-in-loop -- as above
      else if (id) await this.#talk((signal) => this.#askPrompt(id, signal));
      // oxlint-disable-next-line no-await-in-loop -- as above
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
      const said = await this.#ask(await client.prompts.get(id), signal);
      if (said.kind === 'interrupted') {
        this.#wantsToLeave = true;
        return;
      }
      if (said.kind === 'called_off') {
        // The end of the input, not another client: nobody will type here any more.
        if (!signal.aborted) this.settled(id);
        return;
      }
      await client.prompts.answer(id, said.answer);
      this.settled(id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      screen.tell(`! ${plainLine(error.message)}`);
      // A refused answer leaves the prompt open, so it is asked again; anything else is out of our hands.
      if (!(error instanceof ApiFailure && error.status === 422)) this.settled(id);
    }
  }

  async #ask(prompt: Prompt, signal: AbortSignal): Promise<Said> {
    const { screen } = this.#options;
    const isInline = isCapable();
    const can = prompt.kind === 'approval' ? await this.#abilitiesOf(prompt) : allAbilities;
    if (!this.#stated.has(prompt.id)) {
      this.#stated.add(prompt.id);
      const words = isInline ? statement(prompt) : plainText(questionText(prompt));
      screen.tell(coloursOf(process.stderr).yellow(words));
    }
    return isInline ? askInline(prompt, can, { screen, signal }) : askPlainly(prompt, can, signal);
  }

  async #abilitiesOf({ threadId }: Prompt): Promise<Abilities> {
    const { client } = this.#options;
    const [{ runtime }, runtimes] = await Promise.all([client.threads.get(threadId), client.runtimes()]);
    const can = runtimes.find(({ name }) => name === runtime)?.capabilities ?? {};
    return { editedInput: can['editedInput'] === true, denyWithMessage: can['denyWithMessage'] === true };
  }

  async #askToLeave(signal: AbortSignal): Promise<void> {
    const ask = 'The agent is at work. [d]etach and let it go on, [c]ancel it, or Enter to stay: ';
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
