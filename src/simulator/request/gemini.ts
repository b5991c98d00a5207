import type { ConversationEntry, ModelConversation } from '../conversation.js';
import { contentText, field, list, string } from './json.js';

/** Reads a Gemini generateContent request, whose path names the model and says whether to stream. */
export function readGemini(body: unknown, path: string): ModelConversation {
  const config = field(body, 'generationConfig');
  return {
    model: decodeURIComponent(/models\/([^/:?]+):/.exec(path)?.[1] ?? ''),
    system: contentText(list(field(body, 'systemInstruction'), 'parts')),
    entries: list(body, 'contents').flatMap(entriesOf),
    tools: list(body, 'tools').flatMap((tool) =>
      list(tool, 'functionDeclarations').map((declared) => ({
        name: string(declared, 'name'),
        freeform: false,
      })),
    ),
    stream: path.includes(':streamGenerateContent'),
    schema: field(config, 'responseJsonSchema') ?? field(config, 'responseSchema'),
    session: '',
  };
}

function entriesOf(content: unknown): ConversationEntry[] {
  const spoken = string(content, 'role') === 'model';
  return list(content, 'parts').flatMap((part): ConversationEntry[] => {
    const call = field(part, 'functionCall');
    const response = field(part, 'functionResponse');
    if (call)
      return [
        { kind: 'toolCall', id: string(call, 'id'), name: string(call, 'name'), input: field(call, 'args') },
      ];
    if (response) return [resultOf(response)];
    const text = string(part, 'text');
    if (text === '' || field(part, 'thought') === true) return [];
    return [{ kind: spoken ? 'assistant' : 'user', text }];
  });
}

function resultOf(response: unknown): ConversationEntry {
  const given = field(response, 'response');
  const failed = string(given, 'error');
  return {
    kind: 'toolResult',
    callId: string(response, 'id'),
    text: failed || string(given, 'output') || JSON.stringify(given ?? null),
    isError: failed !== '',
  };
}
