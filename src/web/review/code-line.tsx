import { memo, type ReactNode } from 'react';
import { markedText } from '../../domain/words/marked-text.js';
import type { CodePart } from './code-part.js';

/** A line of code: its colours are classes, what changed in it is marked, and nothing in it is hidden. */
export const CodeLine = memo(function CodeLine({
  parts,
}: {
  readonly parts: readonly CodePart[];
}): ReactNode {
  return parts.map(({ text, kind, isChanged }, index) => {
    const shown = markedText(text).replaceAll('\n', '⏎');
    const coloured = kind === undefined ? shown : <span className={`code-${kind}`}>{shown}</span>;
    return isChanged ? <mark key={index}>{coloured}</mark> : <span key={index}>{coloured}</span>;
  });
});
