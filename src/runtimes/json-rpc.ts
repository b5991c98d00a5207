import type { Writable } from 'node:stream';
import * as z from 'zod';
import { unrecognized } from './unrecognized.js';

const Id = z.union([z.number(), z.string()]);
type Id = z.infer<typeof Id>;

const Request = z.looseObject({ id: Id, method: z.string(), params: z.unknown().optional() });
const Notification = z.looseObject({ method: z.string(), params: z.unknown().optional() });
const Refusal = z.looseObject({ id: Id, error: z.looseObject({ code: z.number(), message: z.string() }) });
const Result = z.looseObject({ id: Id, result: z.unknown() });

/** What the other side sent of its own accord; an answer to a call of ours has reached its caller already. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'answer' }
  | { readonly kind: 'strange'; readonly raw: unknown };

/** A call that the other side refused. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One end of a JSON-RPC conversation, a message a line; whoever reads the lines hands them in. */
export class JsonRpc {
  readonly #output: Writable;
  readonly #waiting = new Map<Id, Waiting>();
  #lastId = 0;
  #closed: string | null = null;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Waits without a bound: an end of the other side refuses what it has not answered, and its caller may give up. */
  async call(method: string, params: object): Promise<unknown> {
    if (this.#closed !== null) throw new CallRefused(this.#closed);
    const id = ++this.#lastId;
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object = {}): void {
    this.#send({ method, params });
  }

  answer(id: Id, result: unknown): void {
    this.#send({ id, result });
  }

  refuse(id: Id, message: string): void {
    this.#send({ id, error: { code: -32_601, message } });
  }

  /** One line of the other side. */
  take(line: string): Incoming {
    const raw = parse(line);
    const request = Request.safeParse(raw);
    if (request.success) return { kind: 'request', ...request.data };
    const notification = Notification.safeParse(raw);
    if (notification.success) return { kind: 'notification', ...notification.data };
    const refusal = Refusal.safeParse(raw);
    if (refusal.success)
      return this.#settle(refusal.data.id, ({ reject }) =>
        reject(new CallRefused(refusal.data.error.message)),
      );
    const result = Result.safeParse(raw);
    if (result.success) return this.#settle(result.data.id, ({ resolve }) => resolve(result.data.result));
    return { kind: 'strange', raw: unrecognized(raw).raw };
  }

  /** The other side is gone. */
  close(why: string): void {
    this.#closed = why;
    for (const { reject } of this.#waiting.values()) reject(new CallRefused(why));
    this.#waiting.clear();
  }

  #settle(id: Id, settle: (waiting: Waiting) => void): Incoming {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) settle(waiting);
    return { kind: 'answer' };
  }

  #send(message: object): void {
    if (this.#output.writable) this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
