import type { ReactNode } from 'react';
import { useMay } from '../rights.js';
import { CodeLine } from './code-line.js';
import type { HunkLine, LinePair } from './hunk-lines.js';
import type { LinePlace } from './review-rows.js';

const signs = { same: ' ', added: '+', removed: '−', remark: ' ' } as const;
const spoken = { same: '', added: 'added: ', removed: 'removed: ', remark: '' } as const;

/** What a row of lines needs to be commented on. */
export interface LineRowProps {
  readonly path: string;
  /** The line that the Tab key reaches; the arrow keys go on from there. */
  readonly isReached: boolean;
  readonly onComment: (place: LinePlace) => void;
}

/** One line, with its numbers in both versions of the file. */
export function UnifiedLine({ line, ...row }: LineRowProps & { readonly line: HunkLine }): ReactNode {
  return (
    <div className={`diff-row is-${line.kind}`}>
      <Gutter
        {...row}
        line={line}
        side={line.kind === 'removed' ? 'old' : 'new'}
        numbers={[line.old, line.new]}
      />
      <span className="diff-sign" aria-hidden="true">
        {signs[line.kind]}
      </span>
      <Code line={line} />
    </div>
  );
}

/** A line as it was, and beside it as it is. */
export function SplitLine({ pair, ...row }: LineRowProps & { readonly pair: LinePair }): ReactNode {
  const { left, right } = pair;
  const isReached = row.isReached;
  return (
    <div className="diff-row is-split">
      <Half {...row} line={left} side="old" isReached={isReached && !right} />
      <Half {...row} line={right} side="new" isReached={isReached && right !== undefined} />
    </div>
  );
}

function Half({
  line,
  side,
  ...row
}: LineRowProps & { readonly line: HunkLine | undefined; readonly side: LinePlace['side'] }): ReactNode {
  if (!line) return <div className="diff-half is-none" />;
  return (
    <div className={`diff-half is-${line.kind}`}>
      <Gutter {...row} line={line} side={side} numbers={[line[side]]} />
      <Code line={line} />
    </div>
  );
}

function Code({ line }: { readonly line: HunkLine }): ReactNode {
  return (
    <code className="diff-code">
      <span className="unseen">{spoken[line.kind]}</span>
      {line.kind === 'remark' ? <i>{line.text}</i> : <CodeLine parts={line.parts} />}
    </code>
  );
}

/** The numbers of a line; a click on them writes a comment. */
function Gutter({
  path,
  line,
  side,
  numbers,
  isReached,
  onComment,
}: LineRowProps & {
  readonly line: HunkLine;
  readonly side: LinePlace['side'];
  readonly numbers: readonly (number | undefined)[];
}): ReactNode {
  const canComment = useMay('dispatch');
  const number = line[side];
  const shown = numbers.map((each, index) => (
    <span key={index} className="diff-number">
      {each}
    </span>
  ));
  if (number === undefined || !canComment) return <span className="diff-gutter">{shown}</span>;
  const which = side === 'old' ? `line ${number} before the change` : `line ${number}`;
  return (
    <button
      type="button"
      className="diff-gutter"
      tabIndex={isReached ? 0 : -1}
      data-gutter
      aria-label={`Comment on ${which}`}
      title={`Comment on ${which}`}
      onClick={() => onComment({ file: path, line: number, side })}
    >
      {shown}
    </button>
  );
}
