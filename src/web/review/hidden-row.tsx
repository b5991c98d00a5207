import type { ReactNode } from 'react';
import { type HiddenLines, linesToShow } from '../../domain/review/hidden-lines.js';
import { mostLinesAtOnce } from '../../protocol/changes.js';
import type { WantedLines } from './review-rows.js';

const few = 20;

/** Lines that are not shown, and the buttons that show them. */
export function HiddenRow({
  path,
  hidden,
  onShow,
}: {
  readonly path: string;
  readonly hidden: HiddenLines;
  readonly onShow: (wanted: WantedLines) => void;
}): ReactNode {
  const { from, to, shift, hasAbove, hasBelow } = hidden;
  const count = to === undefined ? undefined : to - from + 1;
  const show = (where: 'top' | 'bottom' | 'all') => () =>
    onShow({ path, shift, ...linesToShow(hidden, where, where === 'all' ? mostLinesAtOnce : few) });
  const isShort = count !== undefined && count <= few;
  const words = count === undefined ? 'More lines below' : `${lines(count)} not shown`;
  return (
    <div className="diff-hidden" role="group" aria-label={`${words}, from line ${from}`}>
      <span className="note">{words}</span>
      {!isShort && hasAbove && (
        <button type="button" className="plain" onClick={show('top')}>
          ↓ Show {few} lines below line {from - 1}
        </button>
      )}
      {!isShort && hasBelow && to !== undefined && (
        <button type="button" className="plain" onClick={show('bottom')}>
          ↑ Show {few} lines above line {to + 1}
        </button>
      )}
      <button type="button" className="plain" onClick={show('all')}>
        {count === undefined ? 'Show the rest' : allWords(count)}
      </button>
    </div>
  );
}

function allWords(count: number): string {
  return count <= mostLinesAtOnce ? `Show all ${lines(count)}` : `Show the first ${lines(mostLinesAtOnce)}`;
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`;
}
