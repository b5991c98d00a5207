import { type Message, type Part, pieces } from '../message.js';
import { readAnthropic } from '../request/anthropic.js';
import type { Wire } from '../wire.js';
import { namedEvent } from './sse.js';

/** Anthropic Messages, which Claude Code speaks. */
export const anthropic: Wire = {
  name: 'anthropic',
  questionTool: 'AskUserQuestion',
  read: readAnthropic,
  events,
  whole: (message) => ({
    ...head(message),
    content: message.parts.map(content),
    stop_reason: message.stopReason,
    usage: usageOf(message),
  }),
  problem: ({ status, type, message }) => ({
    type: 'error',
    error: {
      type: type ?? errorTypes[status] ?? 'api_error',
      message: message ?? `simulated error ${status}`,
    },
  }),
  tokenCount: (tokens) => ({ input_tokens: tokens }),
};

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const signature = 'c2ltdWxhdGVk';

function* events(message: Message): Generator<string> {
  yield namedEvent('message_start', {
    message: { ...head(message), usage: { ...usageOf(message), output_tokens: 1 } },
  });
  for (const [index, part] of message.parts.entries()) {
    yield namedEvent('content_block_start', { index, content_block: emptyContent(part) });
    for (const delta of deltas(part)) yield namedEvent('content_block_delta', { index, delta });
    yield namedEvent('content_block_stop', { index });
  }
  yield namedEvent('message_delta', {
    delta: { stop_reason: message.stopReason, stop_sequence: null },
    usage: { output_tokens: message.usage.outputTokens },
  });
  yield namedEvent('message_stop');
}

function head({ id, model }: Message) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function usageOf({ usage }: Message) {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    service_tier: 'standard',
  };
}

function content(part: Part) {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature };
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
    default:
      return part satisfies never;
  }
}

function emptyContent(part: Part) {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} };
    default:
      return part satisfies never;
  }
}

function* deltas(part: Part): Generator<object> {
  switch (part.kind) {
    case 'text':
      for (const text of part.chunks()) yield { type: 'text_delta', text };
      return;
    case 'thinking':
      for (const thinking of pieces(part.text, 16)) yield { type: 'thinking_delta', thinking };
      yield { type: 'signature_delta', signature };
      return;
    case 'call':
      for (const json of pieces(JSON.stringify(part.input), 32)) {
        yield { type: 'input_json_delta', partial_json: json };
      }
  }
}
