import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { eventually } from '../../harness/wait-until.js';

export const botToken = 'xoxb-1234567890-abc';
export const appToken = 'xapp-1-1234567890-abc';
export const room = 'C0ROOM';

const words = z.object({ type: z.literal('plain_text'), text: z.string().min(1).max(3000) });
const Element = z.object({
  type: z.literal('button'),
  text: words.extend({ text: z.string().min(1).max(75) }),
  action_id: z.string().max(255),
  value: z.string().max(2000),
  url: z.url().optional(),
});
const Block = z.union([
  z.object({ type: z.literal('section'), text: words }),
  z.object({ type: z.literal('actions'), elements: z.array(Element).max(25) }),
]);
const Message = z.object({
  channel: z.literal(room),
  ts: z.string().optional(),
  text: z.string(),
  blocks: z.array(Block).max(50),
});
type Message = z.infer<typeof Message> & { readonly ts: string };
const Modal = z.object({
  trigger_id: z.string(),
  view: z.object({ type: z.literal('modal'), private_metadata: z.string().max(3000) }),
});
const Ephemeral = z.object({ channel: z.literal(room), user: z.string(), text: z.string() });

/** A server that speaks as much of Slack's Web API and Socket Mode as is spoken here. */
export class SlackStandIn {
  readonly messages: Message[] = [];
  readonly updates: Message[] = [];
  readonly windows: z.infer<typeof Modal>[] = [];
  readonly whispers: z.infer<typeof Ephemeral>[] = [];
  readonly acknowledged: string[] = [];
  /** How often a socket was opened. */
  connections = 0;
  readonly #port: number;
  readonly #sockets: WebSocketServer;
  #number = 0;

  static async open(): Promise<SlackStandIn> {
    const server = createServer((request, response) => void standIn.#take(request, response));
    const sockets = new WebSocketServer({ server, path: '/link' });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const standIn = new SlackStandIn((server.address() as AddressInfo).port, sockets);
    sockets.on('connection', (socket) => standIn.#connected(socket));
    onTestFinished(() => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    });
    return standIn;
  }

  private constructor(port: number, sockets: WebSocketServer) {
    this.#port = port;
    this.#sockets = sockets;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api`;
  }

  /** The newest message that says this. */
  async message(saying: string): Promise<Message> {
    const found = await eventually(
      `a message says ${saying}`,
      () => Promise.resolve(this.messages.findLast((message) => textOf(message).includes(saying))),
      (message) => message !== undefined,
    );
    if (!found) throw new Error('There is no such message.');
    return found;
  }

  labels(message: Message): string[] {
    return elementsOf(message).map(({ text: label }) => label.text);
  }

  press(message: Message, label: string, user: string): void {
    const value = elementsOf(message).find(({ text: each }) => each.text === label)?.value ?? '';
    this.#tell({
      type: 'block_actions',
      user: { id: user, username: 'whoever' },
      trigger_id: 'trigger',
      channel: { id: room },
      message: { ts: message.ts, text: message.text },
      actions: [{ type: 'button', value }],
    });
  }

  submit({ view }: z.infer<typeof Modal>, answer: string, user: string): void {
    const { private_metadata } = view;
    const state = { values: { answer: { text: { type: 'plain_text_input', value: answer } } } };
    this.#tell({ type: 'view_submission', user: { id: user }, view: { private_metadata, state } });
  }

  /** Slack ends sockets now and then, and says so. */
  disconnect(): void {
    this.#send({ type: 'disconnect', reason: 'refresh_requested' });
  }

  #tell(payload: object): void {
    const envelope_id = `envelope-${(this.#number += 1)}`;
    this.#send({ envelope_id, type: 'interactive', accepts_response_payload: true, payload });
  }

  #send(content: object): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify(content));
  }

  #connected(socket: WebSocket): void {
    this.connections += 1;
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    socket.on('message', (data) => {
      this.acknowledged.push(
        z
          .object({ envelope_id: z.string() })
          .parse(JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '')).envelope_id,
      );
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').replace('/api/', '');
    const content: unknown = JSON.parse(await text(request));
    const token = method === 'apps.connections.open' ? appToken : botToken;
    const answer =
      request.headers.authorization === `Bearer ${token}`
        ? this.#answer(method, content)
        : { ok: false, error: 'invalid_auth' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #answer(method: string, content: unknown): object {
    if (method === 'apps.connections.open') return { ok: true, url: `ws://127.0.0.1:${this.#port}/link` };
    try {
      const ts = `1700.${(this.#number += 1)}`;
      if (method === 'chat.postMessage') this.messages.push({ ...Message.parse(content), ts });
      else if (method === 'chat.update')
        this.updates.push({ ...Message.extend({ ts: z.string() }).parse(content) });
      else if (method === 'views.open') this.windows.push(Modal.parse(content));
      else if (method === 'chat.postEphemeral') this.whispers.push(Ephemeral.parse(content));
      else return { ok: false, error: 'unknown_method' };
      return { ok: true, ts };
    } catch {
      return { ok: false, error: 'invalid_blocks' };
    }
  }
}

function elementsOf({ blocks }: Message) {
  return blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
}

function textOf({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : [])).join('\n');
}
