import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { control, controlPrefix } from './control.js';
import { newToolResults, type ToolResult } from './conversation.js';
import { Director } from './director.js';
import { exchange, type Studio } from './exchange.js';
import type { RecordedRequest } from './recorded-request.js';
import { RequestRecorder } from './recorder.js';
import { RequestLog } from './request-log.js';
import { parseScript, type ScriptInput } from './script.js';

export interface SimulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  script?: ScriptInput;
  /** A file that gets one JSON line for each request. */
  log?: string;
  /** How many requests are kept in memory; 1,000 unless given. */
  keep?: number;
  clock?: () => Date;
  /** Makes message and tool call ids differ from those of another simulator; random unless given. */
  idSeed?: string;
}

/** A scripted model server on the loopback interface. */
export interface Simulator extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request so far, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  setScript(script: ScriptInput): void;
  /** The requests that the user's work caused: no side calls, no token counts. */
  modelRequests(): RecordedRequest[];
  /** The tool results that the model was given, in the order of its calls. */
  toolResults(): ToolResult[];
  /** Waits until a request, old or new, is as wanted. */
  waitFor(matches: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
}

/** Starts a simulator; it listens when the promise resolves and is gone once disposed. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const director = new Director();
  if (options.script) director.setScript(parseScript(options.script));
  const log = options.log === undefined ? undefined : await RequestLog.open(options.log);
  const recorder = new RequestRecorder({
    keep: options.keep ?? 1000,
    clock: options.clock ?? (() => new Date()),
    onSettled: (request) => log?.append(request),
  });
  const nextId = idsWith(options.idSeed ?? randomBytes(3).toString('hex'));
  const server = createServer(listener({ director, recorder, nextId }));
  const port = await listen(server, options.port ?? 0);
  const modelRequests = () =>
    recorder.requests.filter(({ decision }) => decision !== undefined && decision.from !== 'side_call');

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: recorder.requests,
    setScript: (script) => director.setScript(parseScript(script)),
    modelRequests,
    toolResults: () => toolResultsOf(modelRequests()),
    waitFor: (matches) => recorder.waitFor(matches),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await log?.[Symbol.asyncDispose]();
    },
  };
}

function listener(studio: Studio): RequestListener {
  return (request, response) => {
    const answered = request.url?.startsWith(controlPrefix)
      ? control(request, response, studio)
      : exchange(request, response, studio);
    answered.catch((error: unknown) => {
      if (response.destroyed) return;
      // Agents retry a 5xx for minutes, so a fault of the simulator itself must not look like one.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `the simulator failed: ${errorSentence(error)}` } }));
    });
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = taken
      ? `Port ${port} is in use. Choose another with --port; 0 picks a free one.`
      : `Port ${port} cannot be opened: ${errorSentence(error)}`;
    throw new Failure('unavailable', reason, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

// The seed keeps ids apart when a session that began against one simulator goes on against another.
function idsWith(seed: string): (prefix: string) => string {
  let last = 0;
  return (prefix) => `${prefix}_sim${seed}${String(++last).padStart(5, '0')}`;
}

// Agents send the results of parallel calls as they come in; the order of the calls is the same every time.
function toolResultsOf(requests: RecordedRequest[]): ToolResult[] {
  const seen = new Map<string, ToolResult>();
  for (const { conversation } of requests) {
    if (!conversation) continue;
    const calls = conversation.entries.flatMap((entry) => (entry.kind === 'toolCall' ? [entry.id] : []));
    const results = newToolResults(conversation);
    for (const result of results.toSorted((a, b) => calls.indexOf(a.callId) - calls.indexOf(b.callId))) {
      const key = result.callId || JSON.stringify(result);
      if (!seen.has(key)) seen.set(key, result);
    }
  }
  return [...seen.values()];
}
