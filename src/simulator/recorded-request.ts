import type { ModelConversation } from './conversation.js';
import type { DirectorDecision } from './director.js';
import type { Wire } from './wire.js';

/** Everything that is known about one request and what became of it. */
export interface RecordedRequest {
  seq: number;
  at: string;
  method: string;
  path: string;
  /** Keys and tokens are replaced by a mark. */
  headers: Record<string, string>;
  body: unknown;
  /** Which API was spoken; absent when the request was not for a model. */
  wire?: Wire['name'];
  conversation?: ModelConversation;
  decision?: DirectorDecision;
  answer?: RecordedAnswer;
  /** True when the client went away before it had the whole answer. */
  closedEarly: boolean;
}

/** How far an answer has come. */
export interface RecordedAnswer {
  status: number;
  /** Events of the stream that were sent. */
  events: number;
  /** True when the script cut the connection. */
  cut?: boolean;
}

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
]);

/** The headers of a request with its secrets taken out. */
export function redactHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name) ? '[redacted]' : [value ?? ''].flat().join(', '),
    ]),
  );
}

/** The path of a request with the key that Gemini clients may put into the query taken out. */
export function redactPath(path: string): string {
  return path.replace(/([?&]key=)[^&]*/g, '$1[redacted]');
}
