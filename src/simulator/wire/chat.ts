import { type Message, type Part, pieces } from '../message.js';
import type { StopReason } from '../reply.js';
import { readChat } from '../request/chat.js';
import type { Wire } from '../wire.js';
import { dataEvent } from './sse.js';

/** OpenAI Chat Completions, which OpenCode and most compatible servers speak. */
export const chat: Wire = {
  name: 'chat',
  questionTool: 'question',
  read: readChat,
  events,
  whole: (message) => ({
    ...head(message),
    object: 'chat.completion',
    choices: [{ index: 0, message: spoken(message), finish_reason: finishReasons[message.stopReason] }],
    usage: usageOf(message),
  }),
  problem: ({ status, type, message }) => ({
    error: { message: message ?? `simulated error ${status}`, type: type ?? 'simulated_error', code: null },
  }),
  tokenCount: (tokens) => ({ total_tokens: tokens }),
};

const finishReasons: Record<StopReason, string> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};

function* events(message: Message): Generator<string> {
  const base = { ...head(message), object: 'chat.completion.chunk' };
  const choice = (delta: object, finish_reason: string | null = null) =>
    dataEvent({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  yield choice({ role: 'assistant', content: '' });
  for (const delta of deltas(message.parts)) yield choice(delta);
  yield choice({}, finishReasons[message.stopReason]);
  yield dataEvent({ ...base, choices: [], usage: usageOf(message) });
  yield 'data: [DONE]\n\n';
}

function* deltas(parts: Part[]): Generator<object> {
  let index = 0;
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        for (const content of part.chunks()) yield { content };
        break;
      case 'thinking':
        for (const reasoning_content of pieces(part.text, 16)) yield { reasoning_content };
        break;
      case 'call': {
        yield { tool_calls: [{ index, ...called(part, '') }] };
        for (const json of pieces(JSON.stringify(part.input), 32)) {
          yield { tool_calls: [{ index, function: { arguments: json } }] };
        }
        index++;
      }
    }
  }
}

function spoken({ parts }: Message) {
  const calls = parts.filter((part) => part.kind === 'call');
  const texts = parts.filter((part) => part.kind === 'text').map((part) => part.text);
  return {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('') : null,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => called(call, JSON.stringify(call.input))) }),
  };
}

function called({ id, name }: Extract<Part, { kind: 'call' }>, json: string) {
  return { id, type: 'function', function: { name, arguments: json } };
}

function head({ id, model }: Message) {
  return { id: `chatcmpl_${id}`, created: 0, model };
}

function usageOf({ usage }: Message) {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
  };
}
