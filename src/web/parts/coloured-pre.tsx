import { memo, type ReactNode } from 'react';
import type { StyledRun, TextStyle } from '../../domain/words/coloured-text.js';

/** A program's text in its colours. */
export const ColouredPre = memo(function ColouredPre({
  runs,
  isWrapped,
}: {
  readonly runs: readonly StyledRun[];
  readonly isWrapped: boolean;
}): ReactNode {
  return (
    <pre tabIndex={0} className={isWrapped ? 'coloured' : 'coloured is-unwrapped'}>
      {runs.map(({ text, style }, index) => {
        const names = classesOf(style);
        // biome-ignore lint/suspicious/noArrayIndexKey: a run stays in its place
        return names === '' ? (
          text
        ) : (
          <span key={index} className={names}>
            {text}
          </span>
        );
      })}
    </pre>
  );
});

function classesOf({ hue, ground, isBold, isFaint, isItalic, isUnderlined }: TextStyle): string {
  const names = [
    ground === undefined ? hue && `hue-${hue}` : `hue-${ground} ground-${ground}`,
    isBold && 'is-bold',
    isFaint && 'is-faint',
    isItalic && 'is-italic',
    isUnderlined && 'is-underlined',
  ];
  return names.filter(Boolean).join(' ');
}
