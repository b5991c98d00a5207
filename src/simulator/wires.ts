import { anthropic } from './wire/anthropic.js';
import { chat } from './wire/chat.js';
import { gemini } from './wire/gemini.js';
import { responses } from './wire/responses.js';
import type { Wire } from './wire.js';

interface Endpoint {
  wire: Wire;
  purpose: 'message' | 'tokenCount';
}

// Agents are given base URLs with and without /v1, so only the end of the path counts.
const endpoints: [RegExp, Endpoint][] = [
  [/\/messages$/, { wire: anthropic, purpose: 'message' }],
  [/\/messages\/count_tokens$/, { wire: anthropic, purpose: 'tokenCount' }],
  [/\/responses$/, { wire: responses, purpose: 'message' }],
  [/\/chat\/completions$/, { wire: chat, purpose: 'message' }],
  [/:(?:streamGenerateContent|generateContent)$/, { wire: gemini, purpose: 'message' }],
  [/:countTokens$/, { wire: gemini, purpose: 'tokenCount' }],
];

/** Which API a path belongs to. */
export function endpointOf(pathname: string): Endpoint | undefined {
  return endpoints.find(([pattern]) => pattern.test(pathname))?.[1];
}
