import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { eventually } from '../../harness/wait-until.js';

export const token = `77:${'a'.repeat(35)}`;
export const chat = -100;

const Sent = z.object({
  chat_id: z.string(),
  text: z.string().max(4096),
  message_id: z.number().optional(),
  reply_markup: z
    .object({
      inline_keyboard: z.array(
        z.array(
          z.union([
            z.object({ text: z.string(), callback_data: z.string().min(1).max(64) }),
            z.object({ text: z.string(), url: z.url() }),
          ]),
        ),
      ),
    })
    .optional(),
});
type Sent = z.infer<typeof Sent> & { readonly message_id: number };

/** A server that speaks as much of Telegram's Bot API as is spoken here, and keeps updates until they are confirmed. */
export class TelegramStandIn {
  readonly messages: Sent[] = [];
  readonly edits: Sent[] = [];
  readonly notices: string[] = [];
  readonly url: string;
  #updates: { update_id: number }[] = [];
  #waiting: { offset: number; response: ServerResponse } | null = null;
  #number = 0;

  static async open(): Promise<TelegramStandIn> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const standIn = new TelegramStandIn(`http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      void text(request).then((body) => standIn.#take(request.url ?? '', JSON.parse(body), response));
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return standIn;
  }

  private constructor(url: string) {
    this.url = url;
  }

  /** The newest message that says this. */
  async message(saying: string): Promise<Sent> {
    const found = await eventually(
      `a message says ${saying}`,
      () => Promise.resolve(this.messages.findLast(({ text }) => text.includes(saying))),
      (message) => message !== undefined,
    );
    if (!found) throw new Error('There is no such message.');
    return found;
  }

  labels({ reply_markup }: Sent): string[] {
    return reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  }

  /** Somebody presses a button. */
  press(message: Sent, label: string, from: number, where = chat): void {
    const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
    this.say(message, button && 'callback_data' in button ? button.callback_data : '', from, where);
  }

  /** Somebody's program sends what it likes. */
  say({ message_id, text }: Sent, data: string, from: number, where = chat): void {
    const message = { message_id, chat: { id: where }, text };
    this.#tell({ callback_query: { id: 'q', from: { id: from, is_bot: false }, message, data } });
  }

  reply({ message_id, text: asked }: Sent, text: string, from: number): void {
    const bot = { id: 77, is_bot: true };
    const reply_to_message = { message_id, chat: { id: chat }, from: bot, text: asked };
    const message = { message_id: (this.#number += 1), chat: { id: chat }, from: { id: from }, text };
    this.#tell({ message: { ...message, reply_to_message } });
  }

  #tell(update: object): void {
    this.#updates.push({ update_id: (this.#number += 1), ...update });
    this.#flush();
  }

  #take(path: string, content: unknown, response: ServerResponse): void {
    const method = path.replace(`/bot${token}/`, '');
    if (!path.startsWith(`/bot${token}/`)) return end(response, 401, { ok: false });
    if (method === 'getUpdates') {
      const { offset } = z.object({ offset: z.number() }).parse(content);
      this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset);
      this.#waiting = { offset, response };
      this.#flush();
      return;
    }
    if (method === 'answerCallbackQuery')
      this.notices.push(z.object({ text: z.string().max(200) }).parse(content).text);
    else {
      const read = Sent.safeParse(content);
      if (!read.success) return end(response, 400, { ok: false, description: String(read.error) });
      const sent = { ...read.data, message_id: read.data.message_id ?? (this.#number += 1) };
      (method === 'editMessageText' ? this.edits : this.messages).push(sent);
    }
    end(response, 200, { ok: true, result: {} });
  }

  #flush(): void {
    if (!this.#waiting || this.#updates.length === 0) return;
    const { response } = this.#waiting;
    this.#waiting = null;
    end(response, 200, { ok: true, result: this.#updates });
  }
}

function end(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}
