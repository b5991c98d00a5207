import type { ConversationEntry, ModelConversation } from '../conversation.js';
import { contentText, field, list, string } from './json.js';

/** Reads an OpenAI Chat Completions request. */
export function readChat(body: unknown): ModelConversation {
  const messages = list(body, 'messages');
  return {
    model: string(body, 'model'),
    system: messages
      .filter((message) => ['system', 'developer'].includes(string(message, 'role')))
      .map((message) => contentText(field(message, 'content')))
      .join('\n'),
    entries: messages.flatMap(entriesOf),
    tools: list(body, 'tools').map((tool) => ({
      name: string(field(tool, 'function'), 'name'),
      freeform: false,
    })),
    stream: field(body, 'stream') === true,
    schema: field(field(field(body, 'response_format'), 'json_schema'), 'schema'),
    session: string(body, 'prompt_cache_key'),
  };
}

function entriesOf(message: unknown): ConversationEntry[] {
  const content = field(message, 'content');
  const texts = (typeof content === 'string' ? [content] : list(content))
    .map(contentText)
    .filter((text) => text !== '');
  switch (string(message, 'role')) {
    case 'user':
      return texts.map((text) => ({ kind: 'user', text }));
    case 'assistant':
      return [
        ...texts.map((text): ConversationEntry => ({ kind: 'assistant', text })),
        ...list(message, 'tool_calls').map((call): ConversationEntry => {
          const called = field(call, 'function');
          return {
            kind: 'toolCall',
            id: string(call, 'id'),
            name: string(called, 'name'),
            input: field(called, 'arguments'),
          };
        }),
      ];
    case 'tool':
      return [
        {
          kind: 'toolResult',
          callId: string(message, 'tool_call_id'),
          text: texts.join('\n'),
          isError: false,
        },
      ];
    default:
      return [];
  }
}
