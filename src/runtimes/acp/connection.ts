import type { Writable } from 'node:stream';
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  RequestError,
} from '@agentclientprotocol/sdk';
import { errorSentence } from '../../protocol/error-sentence.js';
import { WireElicitation, WirePermissionRequest } from './wire.js';

/** What an agent wants of us. */
export interface AgentWishes {
  /** Something happened in a session. */
  updated(params: unknown): void;
  permission(request: WirePermissionRequest, signal: AbortSignal): Promise<object>;
  elicitation(request: WireElicitation, signal: AbortSignal): Promise<object>;
  /** Nobody here knows this. */
  strange(raw: unknown): void;
}

/** A request that an agent did not carry out. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, { code, data }: { readonly code: number; readonly data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * The client's end of an ACP conversation. The official SDK speaks it; only the lines are ours, because they have to be
 * bounded, held back while a journal is full, and read in order: an update that the SDK's schema does not know yet would
 * be dropped by it in silence.
 */
export class AcpConnection {
  readonly #wishes: AgentWishes;
  readonly #connection: ClientConnection;
  #incoming: ReadableStreamDefaultController<AnyMessage> | null = null;

  constructor(output: Writable, wishes: AgentWishes) {
    this.#wishes = wishes;
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        this.#incoming = controller;
      },
    });
    const writable = new WritableStream<AnyMessage>({
      write: (message) => {
        if (output.writable) output.write(`${JSON.stringify(message)}\n`);
      },
    });
    this.#connection = client({ name: 'handraise' })
      .onRequest(
        methods.client.session.requestPermission,
        (params: unknown) => WirePermissionRequest.parse(params),
        async ({ params, signal }) => await wishes.permission(params, signal),
      )
      .onRequest(
        methods.client.elicitation.create,
        (params: unknown) => WireElicitation.parse(params),
        async ({ params, signal }) => await wishes.elicitation(params, signal),
      )
      .onRequest('*', ({ method, params }) => {
        wishes.strange({ method, params });
        throw RequestError.methodNotFound(method);
      })
      .onNotification('*', ({ method, params }) => {
        // That a page is done with says nothing to who has opened it.
        if (method === methods.client.elicitation.complete) return;
        // What begins so is an extension of one agent, and is told besides.
        if (!method.startsWith('_')) wishes.strange({ method, params });
      })
      .connect({ readable, writable });
  }

  /** One line of the agent. */
  take(line: string): void {
    if (line.trim() === '') return;
    const message = parsed(line);
    if (!isMessage(message)) {
      this.#wishes.strange(message);
      return;
    }
    if ('method' in message && message.method === methods.client.session.update && !('id' in message))
      this.#wishes.updated('params' in message ? message.params : undefined);
    else this.#incoming?.enqueue(message);
  }

  /** Waits without a bound: the end of the agent refuses what it has not answered, and its caller may give up. */
  async request(method: string, params: object): Promise<unknown> {
    try {
      return await this.#connection.agent.request(method, params);
    } catch (error) {
      if (error instanceof RequestError)
        throw new AgentRefusal(refusalText(error), { code: error.code, data: error.data });
      throw new AgentRefusal(errorSentence(error), { code: 0 });
    }
  }

  notify(method: string, params: object): void {
    // It fails only when the agent is gone, and then nobody is there to be told.
    this.#connection.agent.notify(method, params).catch(() => {});
  }

  /** The agent is gone. */
  close(why: string): void {
    this.#connection.close(new Error(why));
  }
}

/** What went wrong often stands only in the details. */
function refusalText({ message, data }: RequestError): string {
  const details = typeof data === 'object' && data !== null && 'details' in data ? data.details : null;
  return typeof details === 'string' ? details : message.replace(/^Internal error: /, '');
}

function isMessage(value: unknown): value is AnyMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
