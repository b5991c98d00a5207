import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { Failure } from '../../protocol/failure.js';
import { readChatCode } from '../notify/chat-code.js';
import { allowedAddresses, ask, lookupOf, post, type Resolve } from '../notify/outbound-post.js';
import {
  readJson,
  SlackAnswer,
  type SlackApp,
  SlackEnvelope,
  SlackPressed,
  SlackTyped,
  slackCall,
  slackRefusal,
  slackSettled,
  slackWindow,
} from '../notify/slack-app.js';
import type { ChatAnswers, ChatReply } from './chat-answers.js';

const answerMs = 20_000;
// Slack tells again what was not acknowledged within three seconds.
const acknowledgedMs = 2500;
// Slack sends a ping every few seconds.
const silenceMs = 120_000;
const largestEnvelope = 1024 * 1024;

export interface SlackListenerParts {
  readonly channel: SlackApp;
  readonly answers: ChatAnswers;
  readonly resolve: Resolve;
}

const About = z.object({ code: z.string(), channel: z.string(), ts: z.string(), text: z.string() });

/** Hears over a socket that it opens itself (Socket Mode) what people press and type. */
export class SlackListener {
  readonly #parts: SlackListenerParts;

  constructor(parts: SlackListenerParts) {
    this.#parts = parts;
  }

  /** One connection, until Slack ends it. */
  async listen(signal: AbortSignal): Promise<void> {
    const socket = await this.#connect(signal);
    const handling = new Set<Promise<void>>();
    const close = () => socket.terminate();
    let silence = setTimeout(close, silenceMs);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(close, silenceMs);
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.on('ping', heard);
        socket.on('message', (data) => {
          heard();
          const work = this.#hear(socket, Buffer.isBuffer(data) ? data.toString('utf8') : '', signal).catch(
            () => {},
          );
          handling.add(work);
          void work.finally(() => handling.delete(work));
        });
        socket.on('close', () => resolve());
        socket.on('error', () => reject(new Failure('unavailable', 'the connection broke.')));
      });
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', close);
      socket.terminate();
      await Promise.all(handling);
    }
  }

  async #connect(signal: AbortSignal): Promise<WebSocket> {
    const { channel, resolve } = this.#parts;
    const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const answer = await ask(slackCall(channel, 'apps.connections.open', {}), { resolve, signal: soon });
    if (!answer.answered) throw new Failure('unavailable', `${answer.why}.`);
    const refusal = slackRefusal(answer.body);
    if (refusal !== null) throw new Failure('unavailable', `${refusal}.`);
    const { url = '' } = SlackAnswer.parse(readJson(answer.body));
    const isSafe = url.startsWith('wss://') || (channel.allowPrivate && url.startsWith('ws://'));
    const { allowPrivate } = channel;
    const addresses = isSafe
      ? await allowedAddresses({ url, allowPrivate }, { resolve, signal: soon })
      : null;
    if (!addresses) throw new Failure('unavailable', 'it named an address that is not called.');
    // Most workers have no such channel and never need it.
    const ws = await import('ws');
    return new ws.WebSocket(url, {
      lookup: lookupOf(addresses),
      handshakeTimeout: answerMs,
      maxPayload: largestEnvelope,
      followRedirects: false,
    });
  }

  async #hear(socket: WebSocket, text: string, signal: AbortSignal): Promise<void> {
    const envelope = SlackEnvelope.safeParse(readJson(text)).data;
    if (!envelope) return;
    if (envelope.type === 'disconnect') {
      socket.close();
      return;
    }
    if (envelope.envelope_id === undefined) return;
    const taken = this.#take(envelope.payload, signal);
    await Promise.race([taken.catch(() => {}), delay(acknowledgedMs, undefined, { ref: false })]);
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
    await taken;
  }

  async #take(payload: unknown, signal: AbortSignal): Promise<void> {
    const pressed = SlackPressed.safeParse(payload).data;
    if (pressed) return await this.#takePressed(pressed, signal);
    const typed = SlackTyped.safeParse(payload).data;
    if (!typed) return;
    const about = About.safeParse(readJson(typed.view.private_metadata)).data;
    const code = readChatCode(about?.code ?? '');
    if (!about || !code) return;
    const text = typed.view.state.values.answer.text.value ?? '';
    await this.#reply({ ...code, personId: typed.user.id, said: { text } }, about, signal);
  }

  async #takePressed(
    { user, channel, message, actions, trigger_id }: z.infer<typeof SlackPressed>,
    signal: AbortSignal,
  ): Promise<void> {
    const value = actions[0]?.value ?? '';
    const code = readChatCode(value);
    if (!code || channel.id !== this.#parts.channel.channel) return;
    const about = { code: value, channel: channel.id, ts: message.ts, text: message.text ?? '' };
    const { choice, ...asked } = code;
    if (choice !== 'text') {
      await this.#reply({ ...asked, personId: user.id, said: { choice } }, about, signal);
      return;
    }
    if (this.#parts.answers.nameOf(this.#parts.channel, user.id) === null)
      await this.#tell(
        'chat.postEphemeral',
        { ...place(about, user.id), text: 'You may not answer here.' },
        signal,
      );
    else await this.#tell('views.open', slackWindow(trigger_id, JSON.stringify(about)), signal);
  }

  async #reply(reply: ChatReply, about: z.infer<typeof About>, signal: AbortSignal): Promise<void> {
    const receipt = await this.#parts.answers.take(this.#parts.channel, reply);
    if (receipt.isSettled) await this.#tell('chat.update', slackSettled(about, receipt.words), signal);
    else
      await this.#tell(
        'chat.postEphemeral',
        { ...place(about, reply.personId), text: receipt.words },
        signal,
      );
  }

  /** The answer is stored by now; that somebody is not told so changes nothing. */
  async #tell(method: string, content: object, signal: AbortSignal): Promise<void> {
    const { channel, resolve } = this.#parts;
    const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    await post(slackCall(channel, method, content), { resolve, signal: soon });
  }
}

function place({ channel }: { readonly channel: string }, user: string) {
  return { channel, user };
}
