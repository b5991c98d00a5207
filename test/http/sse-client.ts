import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

export interface SseMessage {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

/** One connection to a stream; it reads as fast as it can until it is paused. */
export class SseClient {
  readonly messages: SseMessage[] = [];
  /** The numbers of the events that came, in order. */
  readonly seqs: number[] = [];
  readonly comments: string[] = [];
  readonly ended: Promise<unknown>;
  readonly response: IncomingMessage;
  readonly #request: ClientRequest;

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.response = response;
    const parser = createParser({
      onEvent: (message) => {
        this.messages.push({ ...message });
        if (message.id !== undefined && message.event !== 'dropped') this.seqs.push(Number(message.id));
      },
      onComment: (comment) => this.comments.push(comment),
    });
    response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
    response.on('error', () => {});
    this.ended = new Promise((resolve) => response.on('close', resolve));
  }

  static async open(url: string, headers: Record<string, string>): Promise<SseClient> {
    const asked = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
    asked.on('error', () => {});
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new SseClient(asked, response);
  }

  close(): void {
    this.#request.destroy();
  }
}
