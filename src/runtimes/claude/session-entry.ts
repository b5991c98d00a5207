import * as z from 'zod';
import type { SaidFacts } from '../../domain/run/terminal-session.js';

const Entry = z.looseObject({
  type: z.enum(['user', 'assistant']),
  uuid: z.string(),
  isMeta: z.boolean().optional(),
  isSidechain: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  /** Copied from another session. */
  forkedFrom: z.unknown().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) }),
});
const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
});
const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: z.unknown(),
});

// What a person types that the terminal itself answers, such as /exit, and what it answers.
const ofTerminal = /^\s*<(?:command-|local-command-|system-reminder)/;

/** Takes what one line of a session says; lines of another kind, and those of sub-agents, say nothing to a person. */
export function takeEntry(line: unknown, facts: SaidFacts): void {
  const read = Entry.safeParse(line);
  if (!read.success) return;
  const { type, uuid, message, ...entry } = read.data;
  if (entry.isMeta || entry.isSidechain || entry.isCompactSummary || entry.forkedFrom !== undefined) return;
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = blocks.flatMap((block) => Text.safeParse(block).data?.text ?? []).join('\n');
  if (type === 'user') {
    if (text.trim() !== '' && !ofTerminal.test(text)) facts.add({ type: 'terminal_message', uuid, text });
    for (const block of blocks) takeResult(block, facts);
    return;
  }
  if (text.trim() !== '') facts.add({ type: 'terminal_text', content: text });
  for (const block of blocks) {
    const call = ToolUse.safeParse(block);
    if (!call.success) continue;
    const { id, name: tool, input: params } = call.data;
    facts.add({ type: 'terminal_tool', id, tool, params, summary: 'The session holds no result.' });
  }
}

function takeResult(block: unknown, facts: SaidFacts): void {
  const result = ToolResult.safeParse(block);
  if (!result.success) return;
  const { tool_use_id: id, is_error: isError, content } = result.data;
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const summary = parts.flatMap((part) => Text.safeParse(part).data?.text ?? []).join('\n');
  facts.endTool(id, { success: !isError, summary });
}
