import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverReply } from './delivery.js';
import type { Director } from './director.js';
import { composeMessage } from './message.js';
import { type RecordedRequest, redactHeaders, redactPath } from './recorded-request.js';
import type { RequestRecorder } from './recorder.js';
import type { ErrorFault } from './reply.js';
import type { Wire } from './wire.js';
import { endpointOf } from './wires.js';

/** What every exchange of one simulator shares. */
export interface Studio {
  director: Director;
  recorder: RequestRecorder;
  nextId: (prefix: string) => string;
}

/** Answers one request as the model, whatever API it came by, and records both. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  studio: Studio,
): Promise<void> {
  const { recorder } = studio;
  const raw = await readAll(request);
  const path = request.url ?? '/';
  const record = recorder.begin({
    method: request.method ?? 'GET',
    path: redactPath(path),
    headers: redactHeaders(request.headers),
    body: parseBody(raw),
  });
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    recorder.settle(record, !response.writableFinished && !record.answer?.cut);
  });
  const endpoint = request.method === 'POST' ? endpointOf(path.replace(/\?.*$/, '')) : undefined;
  if (!endpoint) return answerOther({ request, response, record, path });
  const inputTokens = Math.ceil(raw.length / 4);
  record.wire = endpoint.wire.name;
  if (endpoint.purpose === 'tokenCount')
    return json(response, record, 200, endpoint.wire.tokenCount(inputTokens));
  await speak(response, { ...studio, record, path, wire: endpoint.wire, inputTokens, signal: gone.signal });
}

interface Speech extends Studio {
  record: RecordedRequest;
  path: string;
  wire: Wire;
  inputTokens: number;
  signal: AbortSignal;
}

async function speak(response: ServerResponse, speech: Speech): Promise<void> {
  const { director, recorder, nextId, record, wire, inputTokens, signal } = speech;
  const conversation = wire.read(record.body, speech.path);
  const decision = director.decide(conversation);
  const { reply } = decision;
  const { fault, chunkDelayMs = 0 } = reply;
  record.conversation = conversation;
  record.decision = decision;
  recorder.changed(record);
  if (reply.delayMs) await sleep(reply.delayMs, undefined, { signal });
  if (fault?.kind === 'hang' && fault.afterEvents === 0) return;
  if (fault?.kind === 'error') return fail(response, record, wire, fault);
  const message = composeMessage(reply, {
    conversation,
    questionTool: wire.questionTool,
    inputTokens,
    nextId,
  });
  const type = conversation.stream ? 'text/event-stream; charset=utf-8' : 'application/json';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'request-id': message.id });
  const answer = { status: 200, events: 0 };
  record.answer = answer;
  const content = conversation.stream
    ? { events: wire.events(message), fault }
    : { events: [JSON.stringify(wire.whole(message))], fault: fault && { ...fault, afterEvents: 0 } };
  await deliverReply(response, { ...content, chunkDelayMs, signal, answer });
}

function fail(response: ServerResponse, record: RecordedRequest, wire: Wire, fault: ErrorFault): void {
  const { status, retryAfterSeconds, resetsInSeconds } = fault;
  if (resetsInSeconds !== undefined) response.setHeaders(limitHeaders(resetsInSeconds));
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  json(response, record, status, wire.problem(fault));
}

/** A usage limit as Anthropic tells it to a subscription, and OpenAI to Codex. */
function limitHeaders(resetsInSeconds: number): Map<string, string> {
  const reset = String(Math.ceil((performance.timeOrigin + performance.now()) / 1000 + resetsInSeconds));
  return new Map([
    ['anthropic-ratelimit-unified-status', 'rejected'],
    ['anthropic-ratelimit-unified-reset', reset],
    ['anthropic-ratelimit-unified-representative-claim', 'five_hour'],
    ['anthropic-ratelimit-unified-5h-utilization', '1.0'],
    ['anthropic-ratelimit-unified-5h-reset', reset],
    ['x-codex-primary-used-percent', '100'],
    ['x-codex-primary-window-minutes', '300'],
    ['x-codex-primary-reset-at', reset],
  ]);
}

const models = ['sim'].map((id) => ({
  id,
  type: 'model',
  object: 'model',
  display_name: 'Handraise simulator',
  created_at: '1970-01-01T00:00:00Z',
}));

interface OtherRequest {
  request: IncomingMessage;
  response: ServerResponse;
  record: RecordedRequest;
  path: string;
}

function answerOther({ request, response, record, path }: OtherRequest): void {
  if (request.method === 'HEAD') return json(response, record, 200, undefined);
  if (request.method === 'GET' && /\/models(?:\?|$)/.test(path)) {
    // One list for all vendors: OpenAI and Anthropic read `data`, Codex and Gemini read `models`.
    return json(response, record, 200, { object: 'list', data: models, has_more: false, models: [] });
  }
  json(response, record, 404, {
    error: { type: 'not_found_error', message: `${record.method} ${record.path} does not exist here` },
  });
}

function json(response: ServerResponse, record: RecordedRequest, status: number, body: unknown): void {
  record.answer = { status, events: 0 };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(raw: string): unknown {
  try {
    return raw === '' ? undefined : JSON.parse(raw);
  } catch {
    return raw;
  }
}
