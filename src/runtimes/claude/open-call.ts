import * as z from 'zod';
import { toolWords } from '../../domain/words/tool-words.js';

const Entry = z.looseObject({
  isSidechain: z.boolean().optional(),
  message: z.looseObject({ content: z.array(z.unknown()) }),
});
const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
});
const ToolResult = z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string() });
const Questions = z.looseObject({ questions: z.array(z.looseObject({ question: z.string() })).min(1) });

/** What the last call of a transcript asks that has no result yet; undefined where every call has one. */
export function openCallWords(lines: readonly string[]): string | undefined {
  const open = new Map<string, string>();
  for (const line of lines) {
    const entry = Entry.safeParse(parsed(line));
    if (!entry.success || entry.data.isSidechain) continue;
    for (const block of entry.data.message.content) {
      const call = ToolUse.safeParse(block);
      if (call.success) open.set(call.data.id, callWords(call.data.name, call.data.input));
      const result = ToolResult.safeParse(block);
      if (result.success) open.delete(result.data.tool_use_id);
    }
  }
  return [...open.values()].at(-1);
}

/** What a person is asked by a call: its questions, or whether it may be made. */
export function callWords(tool: string, input: Record<string, unknown>): string {
  const asked = Questions.safeParse(input);
  return tool === 'AskUserQuestion' && asked.success
    ? asked.data.questions.map(({ question }) => question).join(' ')
    : `${toolWords(tool, input)}?`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The first line of a file's end is half a line, and so may be the last.
    return null;
  }
}
