import { isKnownBlock, isRecord } from './wire.js';

/** What the result of a tool says, as one text. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n');
}

/** The parts of a result that nobody here knows, each with its kind. */
export function unknownResultParts(content: unknown): { readonly kind: string; readonly raw: unknown }[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter((part: unknown) => !isRecord(part) || !isKnownBlock(part['type']))
    .map((raw: unknown) => ({ kind: `result ${String(isRecord(raw) ? raw['type'] : typeof raw)}`, raw }));
}
