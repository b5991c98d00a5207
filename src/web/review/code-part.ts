import type { Token, TokenKind } from './highlight.js';
import type { WordSpan } from './word-change.js';

/** A part of a line that looks the same from its beginning to its end. */
export interface CodePart {
  readonly text: string;
  readonly kind?: TokenKind;
  readonly isChanged: boolean;
}

/** A line cut where its colour changes, or where a changed word begins or ends. */
export function codeParts(text: string, tokens: readonly Token[], changed: readonly WordSpan[]): CodePart[] {
  const cuts = new Set([0, text.length]);
  for (const { from, to } of [...tokens, ...changed]) cuts.add(from).add(to);
  const places = [...cuts].filter((at) => at <= text.length).toSorted((one, other) => one - other);
  const parts: CodePart[] = [];
  let [token, span] = [0, 0];
  for (const [index, from] of places.slice(0, -1).entries()) {
    const to = places[index + 1] ?? from;
    while ((tokens[token]?.to ?? Number.POSITIVE_INFINITY) <= from) token += 1;
    while ((changed[span]?.to ?? Number.POSITIVE_INFINITY) <= from) span += 1;
    const kind = (tokens[token]?.from ?? to) <= from ? tokens[token]?.kind : undefined;
    const isChanged = (changed[span]?.from ?? to) <= from;
    parts.push({ text: text.slice(from, to), isChanged, ...(kind === undefined ? {} : { kind }) });
  }
  return parts;
}
