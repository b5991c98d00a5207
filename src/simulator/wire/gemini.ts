import { type Message, type Part, pieces } from '../message.js';
import type { StopReason } from '../reply.js';
import { readGemini } from '../request/gemini.js';
import type { Wire } from '../wire.js';
import { dataEvent } from './sse.js';

/** Gemini generateContent, which Gemini CLI speaks. */
export const gemini: Wire = {
  name: 'gemini',
  questionTool: 'ask_user',
  read: readGemini,
  events,
  whole: (message) => chunk(message, message.parts.map(content), finishReasons[message.stopReason]),
  problem: ({ status, type, message }) => ({
    error: {
      code: status,
      message: message ?? `simulated error ${status}`,
      status: type ?? errorStatuses[status] ?? 'INTERNAL',
    },
  }),
  tokenCount: (tokens) => ({ totalTokens: tokens }),
};

const finishReasons: Record<StopReason, string> = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
};

const errorStatuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function* events(message: Message): Generator<string> {
  for (const part of message.parts) {
    for (const piece of contents(part)) yield dataEvent(chunk(message, [piece]));
  }
  yield dataEvent(chunk(message, [{ text: '' }], finishReasons[message.stopReason]));
}

function* contents(part: Part): Generator<object> {
  switch (part.kind) {
    case 'text':
      for (const text of part.chunks()) yield { text };
      return;
    case 'thinking':
      for (const text of pieces(part.text, 16)) yield { text, thought: true };
      return;
    case 'call':
      yield content(part);
  }
}

function content(part: Part): object {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'thinking':
      return { text: part.text, thought: true };
    case 'call':
      return { functionCall: { id: part.id, name: part.name, args: part.input } };
    default:
      return part satisfies never;
  }
}

function chunk({ id, model, usage }: Message, parts: object[], finishReason?: string) {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    modelVersion: model,
    responseId: id,
    ...(finishReason && {
      usageMetadata: {
        promptTokenCount: usage.inputTokens,
        cachedContentTokenCount: usage.cacheReadTokens,
        candidatesTokenCount: usage.outputTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      },
    }),
  };
}
