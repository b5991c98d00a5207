import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { stringField } from '../../protocol/string-field.js';

const answerMs = 120_000;
const mostBytes = 64 * 2 ** 20;

/** The server of one OpenCode, which only who has its password may call. */
export class OpencodeServer {
  readonly #url: URL;
  readonly #authorization: string;

  constructor(url: string, password: string) {
    this.#url = new URL(url);
    this.#authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
  }

  async get(path: string): Promise<unknown> {
    return await this.#call('GET', path);
  }

  async post(path: string, body?: object): Promise<unknown> {
    return await this.#call('POST', path, body);
  }

  async patch(path: string, body: object): Promise<unknown> {
    return await this.#call('PATCH', path, body);
  }

  /** What the server tells until it is gone, each event as it was sent. */
  async *events(): AsyncGenerator {
    const response = await this.#send('GET', '/event', undefined);
    if (response.statusCode !== 200) throw new Error(`its events answer ${response.statusCode}`);
    const waiting: unknown[] = [];
    const parser = createParser({ onEvent: ({ data }) => waiting.push(parsed(data)) });
    response.setEncoding('utf8');
    for await (const chunk of response) {
      parser.feed(String(chunk));
      yield* waiting.splice(0);
    }
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#send(method, path, body);
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > mostBytes) throw new Error(`${method} ${path} answers more than ${mostBytes} bytes`);
    }
    const answer = parsed(text);
    const { statusCode = 0 } = response;
    if (statusCode < 300) return answer;
    throw new CallFailed(statusCode, `${method} ${path} answers ${statusCode}: ${reasonIn(answer)}`);
  }

  async #send(method: string, path: string, body: object | undefined): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      const call = httpRequest(new URL(path, this.#url), {
        method,
        headers: {
          authorization: this.#authorization,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
      });
      const late = setTimeout(() => call.destroy(new Error(`${method} ${path} has no answer`)), answerMs);
      call.once('close', () => clearTimeout(late));
      call.once('error', reject);
      call.once('response', (response) => {
        clearTimeout(late);
        resolve(response);
      });
      call.end(body ? JSON.stringify(body) : undefined);
    });
  }
}

/** A call that the server did not carry out. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function reasonIn(answer: unknown): string {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer;
  return stringField(data, 'message') ?? (typeof answer === 'string' ? answer.slice(0, 300) : 'no reason');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
