import type { IncomingMessage, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure, failureTable } from '../protocol/failure.js';
import type { Director } from './director.js';
import type { RequestRecorder } from './recorder.js';
import { parseScript } from './script.js';

/** The paths under which a test in any language sees and steers the simulator. */
export const controlPrefix = '/_sim/';

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Answers one request under the control prefix. */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  { director, recorder }: { director: Director; recorder: RequestRecorder },
): Promise<void> {
  try {
    // A web page could reach us through a host name of its own that points here, and read what was recorded.
    if (!loopback.test(request.headers.host ?? ''))
      throw new Failure('forbidden', 'The Host header must be loopback.');
    switch (`${request.method} ${request.url}`) {
      case 'GET /_sim/requests':
        return answer(response, 200, recorder.requests);
      case 'DELETE /_sim/requests':
        recorder.clear();
        return answer(response, 204);
      case 'GET /_sim/script':
        return answer(response, 200, director.script);
      case 'PUT /_sim/script':
        director.setScript(parseScript(await readBody(request)));
        return answer(response, 204);
      default:
        throw new Failure('not_found', `${request.method} ${request.url} does not exist.`);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { status, title } = failureTable[error.code];
    answer(response, status, { type: 'about:blank', status, title, code: error.code, detail: error.message });
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  try {
    return await readJson(request);
  } catch (error) {
    throw new Failure('invalid', `script: the body is not JSON: ${errorSentence(error)}`, { cause: error });
  }
}

function answer(response: ServerResponse, status: number, body?: unknown): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, body === undefined ? {} : { 'content-type': type });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
