import { randomBytes } from 'node:crypto';
import { Agent, type ClientRequestArgs, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WorkerFetch } from '../client/worker-fetch.js';
import { isProof, proofHeader } from '../compose.js';
import { Failure } from '../protocol/failure.js';
import { IncomingResponse } from './incoming-response.js';

// A busy worker takes long, and waiting costs nothing but time.
const proveWithinMs = 20_000;
const mostHeaderBytes = 8192;
const endOfHeaders = '\r\n\r\n';

/**
 * A fetch to the one worker that knows this secret. Each connection proves itself before a request goes over it, so that
 * neither a token nor a message ever reaches whoever took the port of a worker that died.
 */
export function provenFetch(secret: string): WorkerFetch {
  const agent = new ProvenAgent(secret);
  return async (address, { method, headers, body, signal }) => {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpRequest(address, { agent, method, headers, ...(signal && { signal }) });
      outgoing.on('response', resolve).on('error', reject).end(body);
    });
    return new IncomingResponse(incoming);
  };
}

class ProvenAgent extends Agent {
  readonly #secret: string;

  constructor(secret: string) {
    // The worker closes an idle connection after five seconds; a request must not meet that.
    super({ keepAlive: true, timeout: 4000 });
    this.#secret = secret;
  }

  override createConnection({ host, port }: ClientRequestArgs, done?: HandOver): undefined {
    const place = { host: host ?? '127.0.0.1', port: Number(port) };
    const socket = connect({ ...place, noDelay: true });
    // Between the proof and the first request nobody else listens.
    socket.on('error', () => {});
    void this.#handOver(socket, { place, done });
  }

  async #handOver(
    socket: Socket,
    to: { readonly place: Place; readonly done: HandOver | undefined },
  ): Promise<void> {
    let failure: Error | null = null;
    try {
      await prove(socket, to.place, this.#secret);
    } catch (error) {
      socket.destroy();
      failure = error instanceof Error ? error : new Error(String(error));
    }
    to.done?.(failure, socket);
  }
}

type HandOver = (error: Error | null, socket: Duplex) => void;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Waits until whoever has the other end of this connection has proved to know the secret. */
async function prove(socket: Socket, to: Place, secret: string): Promise<void> {
  const challenge = randomBytes(32).toString('base64url');
  const name = `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`;
  socket.write(`GET /api/v1/proof?challenge=${challenge} HTTP/1.1\r\nHost: ${name}${endOfHeaders}`);
  const given = proofIn(await headersFrom(socket));
  const question = { challenge, address: socket.remoteAddress, port: socket.remotePort };
  if (given !== undefined && isProof(given, secret, question)) return;
  throw new Failure(
    'unavailable',
    `What answers at ${name} is not the worker of this home. Nothing was sent to it. Start the worker with: handraise up`,
  );
}

/** What comes up to the end of the headers: so much at most, and in time. */
function headersFrom(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (act: () => void) => {
      clearTimeout(timer);
      socket.off('data', take).off('error', fail).off('close', fail);
      act();
    };
    const fail = (error?: unknown) =>
      settle(() => reject(error instanceof Error ? error : new Error('The connection was closed.')));
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.includes(endOfHeaders) || text.length > mostHeaderBytes) settle(() => resolve(text));
    };
    const timer = setTimeout(() => fail(new Error('It does not answer in time.')), proveWithinMs);
    socket.on('data', take).on('error', fail).on('close', fail);
  });
}

/** The proof in a response that has no body; whatever else came is none. */
function proofIn(text: string): string | undefined {
  const [status = '', ...lines] = text.split('\r\n');
  if (!status.startsWith('HTTP/1.1 204 ') || !text.endsWith(endOfHeaders)) return undefined;
  const line = lines.find((each) => each.toLowerCase().startsWith(`${proofHeader}:`));
  return line?.slice(proofHeader.length + 1).trim();
}
