import { request as httpRequest } from 'node:http';
import { constants } from 'node:http2';
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import type { CallLine } from '../../process/containers/call-line.js';
import { stringField } from '../../protocol/string-field.js';

const answerMs = 120_000;
const mostBytes = 64 * 2 ** 20;

/** The server of one OpenCode, which only who has its password may call. */
export class OpencodeServer {
  readonly #url: URL;
  readonly #authorization: string;
  readonly #calls: CallLine | null;

  /** In a container its port is reached over a connection from inside. */
  constructor(url: string, password: string, calls: CallLine | null = null) {
    this.#calls = calls;
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
    if (response.status !== 200) throw new Error(`its events answer ${response.status}`);
    const waiting: unknown[] = [];
    const parser = createParser({ onEvent: ({ data }) => waiting.push(parsed(data)) });
    response.body.setEncoding('utf8');
    for await (const chunk of response.body) {
      parser.feed(String(chunk));
      yield* waiting.splice(0);
    }
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const { status, body: answered } = await this.#send(method, path, body);
    answered.setEncoding('utf8');
    let text = '';
    for await (const chunk of answered) {
      text += String(chunk);
      if (text.length > mostBytes) throw new Error(`${method} ${path} answers more than ${mostBytes} bytes`);
    }
    const answer = parsed(text);
    if (status < 300) return answer;
    throw new CallFailed(status, `${method} ${path} answers ${status}: ${reasonIn(answer)}`);
  }

  async #send(method: string, path: string, body: object | undefined): Promise<Answer> {
    const headers = {
      authorization: this.#authorization,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    if (this.#calls) return await this.#sendInside(this.#calls, { method, path, headers, body });
    return await new Promise((resolve, reject) => {
      const call = httpRequest(new URL(path, this.#url), { method, headers });
      const late = setTimeout(() => call.destroy(new Error(`${method} ${path} has no answer`)), answerMs);
      call.once('close', () => clearTimeout(late));
      call.once('error', reject);
      call.once('response', (response) => {
        clearTimeout(late);
        resolve({ status: response.statusCode ?? 0, body: response });
      });
      call.end(body ? JSON.stringify(body) : undefined);
    });
  }

  async #sendInside(calls: CallLine, { method, path, headers, body }: Call): Promise<Answer> {
    const line = await calls.line();
    return await new Promise((resolve, reject) => {
      const call = line.request({
        ':method': method,
        ':path': path,
        // Of the address only the port counts: the program inside calls nobody else.
        ':authority': `inside:${this.#url.port}`,
        ...headers,
      });
      const late = setTimeout(() => call.destroy(new Error(`${method} ${path} has no answer`)), answerMs);
      call.once('close', () => {
        clearTimeout(late);
        reject(new Error(`${method} ${path} has no answer: its container is gone`));
      });
      call.once('error', reject);
      call.once('response', ({ [constants.HTTP2_HEADER_STATUS]: status }) => {
        clearTimeout(late);
        resolve({ status: Number(status), body: call });
      });
      call.end(body ? JSON.stringify(body) : undefined);
    });
  }
}

interface Answer {
  readonly status: number;
  readonly body: Readable;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
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
