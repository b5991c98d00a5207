import { cutText } from '../../protocol/cut-text.js';
import { stringField } from '../../protocol/string-field.js';

/** An event of a runner without the whole output that it may carry, and that output, as much as is to be kept. */
export interface HandedOutput {
  readonly event: object;
  readonly kept: { readonly toolUseId: string; readonly text: string } | null;
}

/** Takes a tool's output out of the event that hands it over; null where none is handed over. */
export function handedOutput(event: unknown, limit: number): HandedOutput | null {
  if (typeof event !== 'object' || event === null) return null;
  const { output, outputKept: _, ...shown }: { output?: unknown; outputKept?: unknown } = { ...event };
  if (stringField(event, 'type') !== 'tool_end' || typeof output !== 'string') return null;
  const toolUseId = stringField(event, 'id');
  const text = cutText(output, limit);
  if (toolUseId === undefined || text === '') return { event: shown, kept: null };
  return { event: { ...shown, outputKept: text.length }, kept: { toolUseId, text } };
}
