import { type ReactNode, useMemo } from 'react';
import { actionSheet } from '../../domain/prompts/action-sheet.js';
import { hiddenCharacters, hiddenWords } from '../../domain/words/marked-text.js';
import { SheetView } from './sheet-view.js';

/** What a tool was given, all of it: an edit as a difference, everything else field by field. */
export function ToolInput({ input }: { readonly input: Readonly<Record<string, unknown>> }): ReactNode {
  const lines = useMemo(() => actionSheet({ input }), [input]);
  return (
    <>
      <HiddenNote value={input} />
      <SheetView lines={lines} />
    </>
  );
}

/** Says which characters of a value show nothing; their places are marked in the text. */
export function HiddenNote({ value }: { readonly value: unknown }): ReactNode {
  const words = useMemo(() => hiddenWords(hiddenCharacters(value)), [value]);
  return words === '' ? null : <p className="hidden-note">⚠ It {words}</p>;
}
