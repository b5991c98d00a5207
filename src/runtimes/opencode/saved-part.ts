import * as z from 'zod';
import type { SaidFacts } from '../../domain/run/terminal-session.js';

const text = z.string();

const Row = z.looseObject({ message: text, role: z.enum(['user', 'assistant']), part: text });

const Part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text, synthetic: z.boolean().optional() }),
  z.looseObject({
    type: z.literal('tool'),
    callID: text,
    tool: text,
    state: z.looseObject({
      status: text,
      input: z.record(text, z.unknown()).optional(),
      output: text.optional(),
      error: text.optional(),
    }),
  }),
]);

/** Takes what one part of a saved message says to a person; what OpenCode itself tells the model is left out. */
export function takeSavedPart(row: unknown, facts: SaidFacts): void {
  const read = Row.safeParse(row);
  const part = read.success ? Part.safeParse(parsed(read.data.part)).data : undefined;
  if (!read.success || !part) return;
  const { role, message } = read.data;
  if (part.type === 'tool') {
    const { status, input = {}, output, error } = part.state;
    const call = { type: 'terminal_tool', id: part.callID, tool: part.tool, params: input } as const;
    facts.add({ ...call, summary: 'The session holds no result.' });
    if (status === 'completed') facts.endTool(part.callID, { success: true, summary: output ?? '' });
    if (status === 'error') facts.endTool(part.callID, { success: false, summary: error ?? '' });
    return;
  }
  if (part.synthetic === true || part.text.trim() === '') return;
  if (role === 'assistant') facts.add({ type: 'terminal_text', content: part.text });
  else facts.add({ type: 'terminal_message', uuid: message, text: part.text });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
