import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as z from 'zod';

const Message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.infer<typeof Message>;

/** Something that the other side sent of its own accord. */
export interface Incoming {
  method: string;
  params: Record<string, unknown>;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export interface JsonRpcOptions {
  command: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** Codex leaves the version field out; ACP agents want it. */
  versionField: boolean;
  /** Gives the result to a request of the other side. */
  onRequest?: (request: Incoming) => unknown;
}

/** A JSON-RPC client over the standard streams of a child process, one message a line. */
export class JsonRpcProcess implements AsyncDisposable {
  /** Every notification and request that came in. */
  readonly incoming: Incoming[] = [];
  readonly child: ChildProcess;
  readonly #options: JsonRpcOptions;
  readonly #pending = new Map<number | string, Pending>();
  readonly #exited: Promise<unknown>;
  #listeners: (() => void)[] = [];
  #stderr = '';
  #lastId = 0;

  constructor(options: JsonRpcOptions) {
    const [program, ...args] = options.command;
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: 'pipe' });
    this.child = child;
    this.#options = options;
    this.#exited = once(child, 'exit').then(() => this.#failPending());
    child.stderr.on('data', (data) => (this.#stderr += String(data)));
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line));
  }

  async call(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object = {}): void {
    this.#send({ method, params });
  }

  /** Waits for something incoming, old or new. */
  async waitFor(matches: (incoming: Incoming) => boolean): Promise<Incoming> {
    for (;;) {
      const found = this.incoming.find(matches);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`the process ended: ${this.#stderr}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end();
    this.child.kill('SIGTERM');
    await this.#exited;
  }

  #receive(line: string): void {
    const parsed = Message.safeParse(parseLine(line));
    if (!parsed.success) return;
    const { id, method, params = {}, result, error } = parsed.data;
    if (method !== undefined) {
      this.incoming.push({ method, params });
      if (id !== undefined) this.#send({ id, result: this.#options.onRequest?.({ method, params }) ?? {} });
      this.#wake();
      return;
    }
    if (id === undefined) return;
    const answer = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) answer?.reject(new Error(JSON.stringify(error)));
    else answer?.resolve(result);
  }

  #send(message: object): void {
    const version = this.#options.versionField ? { jsonrpc: '2.0' } : {};
    this.child.stdin?.write(`${JSON.stringify({ ...version, ...message })}\n`);
  }

  #failPending(): void {
    for (const { reject } of this.#pending.values()) reject(new Error(`the process ended: ${this.#stderr}`));
    this.#pending.clear();
    this.#wake();
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
