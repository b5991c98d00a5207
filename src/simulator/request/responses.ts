import type { ConversationEntry, ModelConversation, OfferedTool } from '../conversation.js';
import { contentText, field, list, string } from './json.js';

/** Reads an OpenAI Responses request. */
export function readResponses(body: unknown): ModelConversation {
  const input = field(body, 'input');
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input);
  return {
    model: string(body, 'model'),
    system: string(body, 'instructions'),
    entries: items.flatMap(entriesOf),
    tools: list(body, 'tools').flatMap((tool) => offered(tool)),
    stream: field(body, 'stream') === true,
    schema: field(field(field(body, 'text'), 'format'), 'schema'),
    session: string(body, 'prompt_cache_key'),
  };
}

/** Codex groups the tools of a server; a script calls one of them `group__tool`, as other agents do. */
function offered(tool: unknown): OfferedTool[] {
  const name = string(tool, 'name') || string(tool, 'type');
  if (string(tool, 'type') !== 'namespace') return [{ name, freeform: string(tool, 'type') === 'custom' }];
  return list(tool, 'tools').map((each) => ({
    name: `${name}__${string(each, 'name')}`,
    freeform: string(each, 'type') === 'custom',
    namespace: name,
  }));
}

function entriesOf(item: unknown): ConversationEntry[] {
  const type = string(item, 'type') || 'message';
  if (type === 'message') return messageEntries(item);
  const id = string(item, 'call_id');
  if (type.endsWith('_call_output')) {
    return [{ kind: 'toolResult', callId: id, text: contentText(field(item, 'output')), isError: false }];
  }
  if (type.endsWith('_call')) {
    const input = field(item, 'arguments') ?? field(item, 'input');
    return [{ kind: 'toolCall', id, name: string(item, 'name'), input }];
  }
  return [];
}

function messageEntries(item: unknown): ConversationEntry[] {
  const content = field(item, 'content');
  const texts = (typeof content === 'string' ? [content] : list(content)).map(contentText);
  switch (string(item, 'role')) {
    case 'user':
      return texts.map((text) => ({ kind: 'user', text }));
    case 'assistant':
      return texts.map((text) => ({ kind: 'assistant', text }));
    default:
      return [];
  }
}
