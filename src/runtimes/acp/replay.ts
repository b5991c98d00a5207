import type { SentMessage } from '../../domain/run/sent-message.js';
import { unansweredWords } from './gatekeeper.js';
import { readUpdate } from './wire.js';

/** One message as an agent tells it again, in the parts in which it has it. */
type ToldAgain = { readonly id: string | null; readonly parts: string[] };

interface EndedCall {
  readonly hasFailed: boolean;
  /** How many messages there were when it ended. */
  readonly messages: number;
}

/**
 * What an agent tells again of a session that it loads: the messages that it was given, in their order, and the calls
 * that have ended. ACP takes no id of a client for a message, so that its words have to tell which one it is.
 */
export class Replay {
  readonly #sessionId: string;
  readonly #messages: ToldAgain[] = [];
  readonly #ended = new Map<string, EndedCall>();
  #isInMessage = false;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  take(params: unknown): void {
    const read = readUpdate(params);
    if (read.sessionId !== this.#sessionId) return;
    switch (read.kind) {
      case 'user_message_chunk':
        this.#noteMessage(read.update.messageId ?? null, read.update.content?.text ?? '');
        return;
      case 'tool_call':
      case 'tool_call_update':
        this.#isInMessage = false;
        if (read.update.status === 'completed' || read.update.status === 'failed')
          this.#ended.set(read.update.toolCallId, {
            hasFailed: read.update.status === 'failed',
            messages: this.#messages.length,
          });
        return;
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#isInMessage = false;
        return;
      default:
    }
  }

  hasResult(toolCallId: string): boolean {
    return this.#ended.has(toolCallId);
  }

  /**
   * Whether it holds this message. Equal words may have been sent more than once, so that as many of them have to be
   * there as were sent up to this one; a message that was lost and sent again is one message.
   */
  hasMessage(uuid: string, sent: readonly SentMessage[]): boolean {
    const message = sent.find((each) => each.uuid === uuid);
    if (!message) return false;
    const equal = [...new Set(sent.filter(({ text }) => text === message.text).map((each) => each.uuid))];
    const found = this.#messages.filter((each) => isSaid(each, message.text));
    return found.length > equal.indexOf(uuid);
  }

  /**
   * Whether these words were said after this call in what is no message of the thread: the adapter tells them so. An agent
   * adds lines of its own there, that it was interrupted for example, and what is said about other calls.
   */
  hasWords(toolCallId: string, words: string, sent: readonly SentMessage[]): boolean {
    const after = this.#messages.slice(this.#ended.get(toolCallId)?.messages ?? 0);
    return after.some(
      (told) => told.parts.join('').includes(words.trim()) && sent.every(({ text }) => !isSaid(told, text)),
    );
  }

  /** Whether it holds that nobody answered a call: a question's result says so, a refused call's does not. */
  hasSilence(toolCallId: string, sent: readonly SentMessage[]): boolean {
    return (
      this.#ended.get(toolCallId)?.hasFailed !== true || this.hasWords(toolCallId, unansweredWords, sent)
    );
  }

  #noteMessage(id: string | null, text: string): void {
    const last = this.#messages.at(-1);
    if (last && this.#isInMessage && last.id === id) last.parts.push(text);
    else this.#messages.push({ id, parts: [text] });
    this.#isInMessage = true;
  }
}

/** What was attached, and what the first message of a session brings besides, stands before a message's own text. */
function isSaid({ parts }: ToldAgain, text: string): boolean {
  const own = text.trim();
  return [parts.at(-1) ?? '', parts.join('')].some((part) => part.trim() === own);
}
