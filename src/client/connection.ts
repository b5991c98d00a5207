import type * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { apiFailure } from './api-failure.js';
import type { WorkerFetch, WorkerRequest, WorkerResponse } from './worker-fetch.js';

/** Where a worker is, and what opens it. */
export interface WorkerAddress {
  readonly url: string;
  readonly token?: string;
  /** How this worker is reached, where the usual way says too little about who listens. */
  readonly fetch?: WorkerFetch;
}

/** What a client is made from: a fixed address, or a way to find the worker again after it moved. */
export type ClientOptions = WorkerAddress | { readonly locate: () => Promise<WorkerAddress> };

export interface QueryParameters {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly query?: QueryParameters;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The way to one worker: it puts the token on a request and turns what goes wrong into a Failure. */
export class ApiConnection {
  readonly #locate: () => Promise<WorkerAddress>;

  constructor(options: ClientOptions) {
    this.#locate = 'locate' in options ? options.locate : () => Promise.resolve(options);
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
      `The worker's answer to ${call.method ?? 'GET'} ${path} is not understood (${place}: ${issue?.message}). Does the worker have another version?`,
    );
  }

  /** The answer itself, once its headers are there. */
  async open(
    path: string,
    { method = 'GET', query = {}, body, headers, signal }: Call = {},
  ): Promise<WorkerResponse> {
    const worker = await this.#locate();
    const { token } = worker;
    const address = new URL(`${worker.url.replace(/\/$/, '')}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      // A list is a parameter that is repeated.
      for (const each of [value ?? []].flat()) address.searchParams.append(name, String(each));
    }
    const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
    const response = await send(worker, address, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await apiFailure(response);
    return response;
  }
}

async function send(worker: WorkerAddress, address: URL, request: WorkerRequest): Promise<WorkerResponse> {
  // A browser refuses its fetch when it is called as a method of something else.
  const wanted: WorkerFetch = worker.fetch ?? fetch;
  try {
    return await wanted(address, request);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', `The worker at ${address.origin} cannot be reached.`, {
      cause: error,
    });
  }
}

async function bodyOf(response: WorkerResponse): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new Failure('unavailable', "The worker's answer broke off.", { cause: error });
  }
}
