import { Failure } from '../../protocol/failure.js';
import { readChatCode } from '../notify/chat-code.js';
import { ask, type Resolve } from '../notify/outbound-post.js';
import {
  type TelegramChannel,
  type TelegramUpdate,
  TelegramUpdates,
  telegramCall,
} from '../notify/telegram.js';
import type { ChatAnswers } from './chat-answers.js';

// The server keeps the request for so long when there is nothing to tell.
const pollSeconds = 50;
const answerMs = 20_000;
const longestReceipt = 180;

export interface TelegramListenerParts {
  readonly channel: TelegramChannel;
  readonly answers: ChatAnswers;
  readonly resolve: Resolve;
}

/**
 * Asks a bot's server for what people said, and lets it go only once that was taken: after a crash it is told again, and
 * answers nothing a second time.
 */
export class TelegramListener {
  readonly #parts: TelegramListenerParts;
  #next = 0;

  constructor(parts: TelegramListenerParts) {
    this.#parts = parts;
  }

  /** One long poll. */
  async listen(signal: AbortSignal): Promise<void> {
    const polled = await this.#call('getUpdates', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(pollSeconds * 1000 + answerMs)]),
      content: {
        offset: this.#next,
        timeout: pollSeconds,
        allowed_updates: ['message', 'callback_query'],
      },
    });
    const updates = TelegramUpdates.safeParse(polled).data?.result;
    if (!updates) throw new Failure('unavailable', 'the server answered something else.');
    for (const update of updates) {
      if (update.update_id < this.#next) continue;
      await this.#take(update, signal);
      this.#next = update.update_id + 1;
    }
  }

  async #take({ callback_query: pressed, message }: TelegramUpdate, signal: AbortSignal): Promise<void> {
    if (pressed) await this.#takePressed(pressed, signal);
    else if (message) await this.#takeMessage(message, signal);
  }

  async #takePressed(
    { id, from, data = '', message }: NonNullable<TelegramUpdate['callback_query']>,
    signal: AbortSignal,
  ): Promise<void> {
    const { channel, answers } = this.#parts;
    const code = readChatCode(data);
    if (!code || code.choice === 'text' || !message || String(message.chat.id) !== channel.chat) return;
    const { choice, promptId, mark } = code;
    const receipt = await answers.take(channel, {
      personId: String(from.id),
      promptId,
      mark,
      said: { choice },
    });
    const text = receipt.words.slice(0, longestReceipt);
    await this.#tell(
      'answerCallbackQuery',
      { callback_query_id: id, text, show_alert: !receipt.isSettled },
      signal,
    );
    if (!receipt.isSettled) return;
    const content = {
      chat_id: channel.chat,
      message_id: message.message_id,
      text: `${withoutCode(message.text ?? '')}\n\n✓ ${receipt.words}`,
      link_preview_options: { is_disabled: true },
    };
    await this.#tell('editMessageText', content, signal);
  }

  /** A reply to a question of ours; whatever else is said in the chat is none of our business. */
  async #takeMessage(
    { message_id, chat, from, text, reply_to_message: asked }: NonNullable<TelegramUpdate['message']>,
    signal: AbortSignal,
  ): Promise<void> {
    const { channel, answers } = this.#parts;
    if (!from || String(chat.id) !== channel.chat) return;
    const isOurs = asked?.from?.is_bot === true && String(asked.from.id) === channel.token.split(':')[0];
    const code = isOurs ? readChatCode(asked.text?.split('\n').at(-1) ?? '') : null;
    if (!code || text === undefined) return;
    const { promptId, mark } = code;
    const receipt = await answers.take(channel, {
      personId: String(from.id),
      promptId,
      mark,
      said: { text },
    });
    const content = {
      chat_id: channel.chat,
      text: receipt.words,
      reply_parameters: { message_id, allow_sending_without_reply: true },
    };
    await this.#tell('sendMessage', content, signal);
  }

  /** The answer is stored by now; that somebody is not told so changes nothing. */
  async #tell(method: string, content: object, signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    await this.#call(method, { content, signal: soon }).catch(() => {});
  }

  async #call(
    method: string,
    { content, signal }: { readonly content: object; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const { channel, resolve } = this.#parts;
    const answer = await ask(telegramCall(channel, method, content), { resolve, signal });
    if (!answer.answered) throw new Failure('unavailable', `${answer.why}.`);
    if (answer.status !== 200) throw new Failure('unavailable', `${statusWords(answer.status)}.`);
    return parsed(answer.body);
  }
}

function statusWords(status: number): string {
  if (status === 401 || status === 404) return 'the token is not known there';
  if (status === 409) return 'somebody else listens with the same token';
  return `it answered ${status}`;
}

function withoutCode(text: string): string {
  return text.split('\n').slice(0, -1).join('\n').trimEnd();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
