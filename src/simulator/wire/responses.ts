import { type Message, type Part, pieces } from '../message.js';
import { readResponses } from '../request/responses.js';
import type { Wire } from '../wire.js';
import { namedEvent } from './sse.js';

/** OpenAI Responses, which Codex speaks. */
export const responses: Wire = {
  name: 'responses',
  questionTool: 'request_user_input',
  read: readResponses,
  events,
  whole: (message) => finished(message),
  problem: ({ status, type, message }) => ({
    error: { message: message ?? `simulated error ${status}`, type: type ?? 'simulated_error', code: null },
  }),
  tokenCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
};

function* events(message: Message): Generator<string> {
  let sequence_number = 0;
  const event = (type: string, fields: object) =>
    namedEvent(type, { sequence_number: sequence_number++, ...fields });
  const started = { ...response(message), status: 'in_progress', output: [] };
  yield event('response.created', { response: started });
  for (const [output_index, part] of message.parts.entries()) {
    const done = item(message, part, output_index);
    yield event('response.output_item.added', { output_index, item: { ...done, ...emptied(part) } });
    for (const [type, fields] of progress(part, done.id)) yield event(type, { output_index, ...fields });
    yield event('response.output_item.done', { output_index, item: done });
  }
  const last = finished(message);
  yield event(`response.${last.status}`, { response: last });
}

function* progress(part: Part, item_id: string): Generator<[string, object]> {
  switch (part.kind) {
    case 'text': {
      const at = { item_id, content_index: 0 };
      yield ['response.content_part.added', { ...at, part: { ...outputText(''), annotations: [] } }];
      for (const delta of part.chunks()) yield ['response.output_text.delta', { ...at, delta }];
      yield ['response.output_text.done', { ...at, text: part.text }];
      yield ['response.content_part.done', { ...at, part: outputText(part.text) }];
      return;
    }
    case 'thinking': {
      const at = { item_id, summary_index: 0 };
      yield ['response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }];
      for (const delta of pieces(part.text, 16))
        yield ['response.reasoning_summary_text.delta', { ...at, delta }];
      yield ['response.reasoning_summary_text.done', { ...at, text: part.text }];
      return;
    }
    case 'call': {
      const [kind, key] = part.freeform
        ? ['custom_tool_call_input', 'input']
        : ['function_call_arguments', 'arguments'];
      for (const delta of pieces(argumentsOf(part), 32)) yield [`response.${kind}.delta`, { item_id, delta }];
      yield [`response.${kind}.done`, { item_id, [key ?? '']: argumentsOf(part) }];
    }
  }
}

function item({ id }: Message, part: Part, index: number) {
  switch (part.kind) {
    case 'text':
      return {
        type: 'message',
        id: `${id}_${index}`,
        role: 'assistant',
        status: 'completed',
        content: [outputText(part.text)],
      };
    case 'thinking':
      return {
        type: 'reasoning',
        id: `${id}_${index}`,
        summary: [{ type: 'summary_text', text: part.text }],
      };
    case 'call':
      return {
        type: part.freeform ? 'custom_tool_call' : 'function_call',
        id: `${id}_${index}`,
        call_id: part.id,
        ...called(part),
        [part.freeform ? 'input' : 'arguments']: argumentsOf(part),
        status: 'completed',
      };
    default:
      return part satisfies never;
  }
}

function called({ name, namespace }: Extract<Part, { kind: 'call' }>): object {
  if (namespace === undefined) return { name };
  return { namespace, name: name.slice(namespace.length + '__'.length) };
}

function emptied(part: Part): object {
  switch (part.kind) {
    case 'text':
      return { status: 'in_progress', content: [] };
    case 'thinking':
      return { summary: [] };
    case 'call':
      return { status: 'in_progress', [part.freeform ? 'input' : 'arguments']: '' };
    default:
      return part satisfies never;
  }
}

// A freeform tool takes its input as it is; a script gives it as {"input": "…"}.
function argumentsOf({ freeform, input }: Extract<Part, { kind: 'call' }>): string {
  return freeform && typeof input.input === 'string' ? input.input : JSON.stringify(input);
}

function outputText(text: string) {
  return { type: 'output_text', text, annotations: [] };
}

function response({ id, model }: Message) {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 0,
    model,
    error: null,
    incomplete_details: null,
  };
}

function finished(message: Message) {
  const { inputTokens, outputTokens, cacheReadTokens } = message.usage;
  const cutShort = message.stopReason === 'max_tokens';
  return {
    ...response(message),
    status: cutShort ? 'incomplete' : 'completed',
    incomplete_details: cutShort ? { reason: 'max_output_tokens' } : null,
    output: message.parts.map((part, index) => item(message, part, index)),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}
