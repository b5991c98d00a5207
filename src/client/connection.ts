import type * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { apiFailure } from './api-failure.js';

/** Where a worker is; without a token a browser's cookie speaks for the user. */
export interface WorkerAddress {
  readonly url: string;
  readonly token?: string;
}

/** What a client is made from: a fixed address, or a way to find the worker again after it moved. */
export type ClientOptions = (WorkerAddress | { readonly locate: () => Promise<WorkerAddress> }) & {
  readonly fetch?: typeof fetch;
};

export interface Query {
  readonly [name: string]: string | number | boolean | undefined;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The way to one worker: it puts the token on a request and turns what goes wrong into a Failure. */
export class Connection {
  readonly #locate: () => Promise<WorkerAddress>;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions) {
    this.#locate = 'locate' in options ? options.locate : () => Promise.resolve(options);
    // A browser refuses its fetch when it is called as a method of something else.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** The body of a successful answer, as the schema says it is. */
  async call<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    call: Call = {},
  ): Promise<z.infer<Schema>> {
    const response = await this.open(path, call);
    const body = await bodyOf(response);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'its body';
    throw new Failure(
      'unavailable',
      `The worker's answer to ${call.method ?? 'GET'} ${path} is not understood (${place}: ${issue?.message}); is it of another version?`,
    );
  }

  /** The answer itself, once its headers are there. */
  async open(
    path: string,
    { method = 'GET', query = {}, body, headers, signal }: Call = {},
  ): Promise<Response> {
    const { url, token } = await this.#locate();
    const address = new URL(`${url.replace(/\/$/, '')}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const response = await this.#send(address, {
      method,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? { 'x-handraise': '1' } : { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await apiFailure(response);
    return response;
  }

  async #send(address: URL, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(address, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      throw new Failure('unavailable', `The worker at ${address.origin} cannot be reached`, { cause: error });
    }
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new Failure('unavailable', "The worker's answer broke off", { cause: error });
  }
}
