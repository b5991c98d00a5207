import * as z from 'zod';
import type { SaidFacts } from '../../domain/run/terminal-session.js';

const text = z.string();
const Part = z.looseObject({ text });

const Entry = z.looseObject({
  type: z.literal('response_item'),
  payload: z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message'),
      id: text.optional(),
      role: text,
      content: z.array(z.unknown()),
      internal_chat_message_metadata_passthrough: z
        .looseObject({ turn_id: text.optional(), content_item_kinds: z.array(text).optional() })
        .optional(),
    }),
    z.looseObject({ type: z.literal('function_call'), name: text, call_id: text, arguments: z.unknown() }),
    z.looseObject({ type: z.literal('custom_tool_call'), name: text, call_id: text, input: z.unknown() }),
    z.looseObject({ type: z.literal('function_call_output'), call_id: text, output: z.unknown() }),
    z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: text, output: z.unknown() }),
  ]),
});
type Message = Extract<z.infer<typeof Entry>['payload'], { type: 'message' }>;

const Params = z.record(z.string(), z.unknown());
const Failed = z.looseObject({ success: z.literal(false) });

/** Takes what one line of a rollout says to a person; what Codex itself tells the model is left out. */
export function takeRolloutEntry(line: unknown, facts: SaidFacts): void {
  const read = Entry.safeParse(line);
  if (!read.success) return;
  const { payload } = read.data;
  switch (payload.type) {
    case 'message':
      takeMessage(payload, facts);
      return;
    case 'function_call':
    case 'custom_tool_call': {
      const given = payload.type === 'function_call' ? payload.arguments : payload.input;
      facts.add({
        type: 'terminal_tool',
        id: payload.call_id,
        tool: payload.name,
        params: paramsOf(given),
        summary: 'The session holds no result.',
      });
      return;
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { output } = payload;
      const summary = typeof output === 'string' ? output : wordsOf(Array.isArray(output) ? output : []);
      facts.endTool(payload.call_id, { success: !Failed.safeParse(output).success, summary });
      return;
    }
    default:
      payload satisfies never;
  }
}

function takeMessage({ role, id = '', content, ...message }: Message, facts: SaidFacts): void {
  const words = wordsOf(content);
  if (words.trim() === '') return;
  if (role === 'assistant') facts.add({ type: 'terminal_text', content: words });
  const kinds = message.internal_chat_message_metadata_passthrough?.content_item_kinds ?? [];
  // Where a version of Codex does not say whose words they are, its own are known by their tags.
  const isOfPerson = kinds.length > 0 ? kinds.some((kind) => kind.startsWith('user.')) : !/^\s*</.test(words);
  if (role === 'user' && isOfPerson) facts.add({ type: 'terminal_message', uuid: id, text: words });
}

function wordsOf(content: readonly unknown[]): string {
  return content.flatMap((part) => Part.safeParse(part).data?.text ?? []).join('\n');
}

function paramsOf(given: unknown): Record<string, unknown> {
  if (typeof given !== 'string') return Params.safeParse(given).data ?? {};
  try {
    return Params.safeParse(JSON.parse(given)).data ?? { input: given };
  } catch {
    return { input: given };
  }
}
