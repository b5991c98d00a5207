import type { ConversationEntry, ModelConversation } from '../conversation.js';
import { contentText, field, list, string } from './json.js';

/** Reads an Anthropic Messages request. */
export function readAnthropic(body: unknown): ModelConversation {
  return {
    model: string(body, 'model'),
    system: contentText(field(body, 'system')),
    entries: list(body, 'messages').flatMap(entriesOf),
    tools: list(body, 'tools').map((tool) => ({ name: string(tool, 'name'), freeform: false })),
    stream: field(body, 'stream') === true,
    session: string(field(body, 'metadata'), 'user_id'),
  };
}

function entriesOf(message: unknown): ConversationEntry[] {
  const role = string(message, 'role');
  const content = field(message, 'content');
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
  return blocks.flatMap((block): ConversationEntry[] => {
    switch (string(block, 'type')) {
      case 'text':
        return role === 'system'
          ? []
          : [{ kind: role === 'assistant' ? role : 'user', text: string(block, 'text') }];
      case 'tool_use':
        return [
          {
            kind: 'toolCall',
            id: string(block, 'id'),
            name: string(block, 'name'),
            input: field(block, 'input'),
          },
        ];
      case 'tool_result':
        return [
          {
            kind: 'toolResult',
            callId: string(block, 'tool_use_id'),
            text: contentText(field(block, 'content')),
            isError: field(block, 'is_error') === true,
          },
        ];
      default:
        return [];
    }
  });
}
