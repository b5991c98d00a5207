import './diff-list.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { changeRemarks } from '../../domain/words/change-words.js';
import { markedLine } from '../../domain/words/marked-text.js';
import type { ChangedPath } from '../../protocol/changes.js';
import { ChangeCounts } from './file-tree-view.js';
import { HiddenRow } from './hidden-row.js';
import { SplitLine, UnifiedLine } from './line-row.js';
import type { LinePlace, ReviewRow, WantedLines } from './review-rows.js';

const heights = { file: 44, note: 36, hunk: 24, hidden: 30, line: 20, pair: 20, comments: 140 } as const;

/** The way to a place in the list, for whoever holds it. */
export interface DiffListHandle {
  goToFile(file: number): void;
}

/** Every changed line of every file in one list, of which only what is on the screen is drawn. */
export function DiffList({
  rows,
  files,
  viewed,
  folded,
  comments,
  onView,
  onFold,
  onComment,
  onShow,
  onFiles,
  onHandle,
}: {
  readonly rows: readonly ReviewRow[];
  readonly files: readonly ChangedPath[];
  readonly viewed: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
  readonly comments: (row: Extract<ReviewRow, { kind: 'comments' }>) => ReactNode;
  readonly onView: (path: string) => void;
  readonly onFold: (path: string) => void;
  readonly onComment: (place: LinePlace) => void;
  /** Somebody wants to see lines around a change. */
  readonly onShow: (wanted: WantedLines) => void;
  /** Which files are on the screen; the first is the one that is looked at. */
  readonly onFiles: (first: number, last: number) => void;
  readonly onHandle: (handle: DiffListHandle) => void;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string>();
  const wanted = useRef<string>(undefined);
  /** The file that somebody went to, until they scroll on. */
  const goal = useRef<number>(undefined);
  const leaveGoal = () => {
    goal.current = undefined;
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[rows[index]?.kind ?? 'line'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 20,
  });
  const drawn = virtualizer.getVirtualItems();
  const top = virtualizer.scrollOffset ?? 0;
  const firstShown = drawn.find(({ end }) => end > top + 1) ?? drawn[0];
  const firstFile = rows[firstShown?.index ?? 0]?.file ?? 0;
  const lastFile = rows[drawn.at(-1)?.index ?? 0]?.file ?? 0;
  useEffect(() => onFiles(firstFile, lastFile), [onFiles, firstFile, lastFile]);
  useEffect(() => {
    const goToGoal = () => {
      const index = rows.findIndex((row) => row.kind === 'file' && row.file === goal.current);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'start' });
    };
    // The lines of files above may come only after somebody went to a file, and would push it out of sight.
    goToGoal();
    onHandle({
      goToFile: (file) => {
        goal.current = file;
        goToGoal();
      },
    });
  }, [onHandle, rows, virtualizer]);
  // The line that an arrow key leads to is drawn first, and has the focus then.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = scroller.current?.querySelector(`[data-key="${CSS.escape(wanted.current)}"]`);
    const gutters = row?.querySelectorAll<HTMLElement>('[data-gutter]');
    const gutter = gutters?.item(gutters.length - 1);
    if (!gutter) return;
    gutter.focus();
    wanted.current = undefined;
  });
  const show = (lines: WantedLines) => {
    // The button may be gone once they are there; the first of them has the focus then.
    wanted.current = `x ${lines.path} ${lines.from}`;
    onShow(lines);
  };
  const tabStop = drawn.some(({ key }) => key === reached)
    ? reached
    : drawn.map(({ index }) => rows[index]).find(isCode)?.key;
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !(event.target instanceof Element) || !event.target.matches('[data-gutter]')) return;
    const from = event.target.closest('[data-index]')?.getAttribute('data-index');
    let index = Number(from) + step;
    while (index >= 0 && index < rows.length && !isCode(rows[index])) index += step;
    const row = rows[index];
    if (!row) return;
    event.preventDefault();
    wanted.current = row.key;
    setReached(row.key);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys lead from line to line, each of which is a button
    <div
      ref={scroller}
      className="diff-list scroller"
      role="region"
      aria-label="Changed lines"
      onKeyDown={(event) => {
        leaveGoal();
        move(event);
      }}
      onWheel={leaveGoal}
      onTouchMove={leaveGoal}
      onPointerDown={leaveGoal}
    >
      <div className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const row = rows[index];
          const file = files[row?.file ?? 0];
          return (
            row &&
            file && (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-key={row.key}
                className="virtual-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === 'file' && (
                  <FileHead
                    file={file}
                    isViewed={viewed.has(file.path)}
                    isFolded={folded.has(file.path)}
                    onView={() => onView(file.path)}
                    onFold={() => onFold(file.path)}
                  />
                )}
                {row.kind === 'note' && (
                  <p className={row.isBad ? 'diff-note is-bad' : 'diff-note'}>{row.text}</p>
                )}
                {row.kind === 'hunk' && <p className="diff-hunk">{markedLine(row.text)}</p>}
                {row.kind === 'hidden' && <HiddenRow path={file.path} hidden={row.hidden} onShow={show} />}
                {row.kind === 'line' && (
                  <UnifiedLine
                    line={row.line}
                    path={file.path}
                    isReached={row.key === tabStop}
                    onComment={onComment}
                  />
                )}
                {row.kind === 'pair' && (
                  <SplitLine
                    pair={row.pair}
                    path={file.path}
                    isReached={row.key === tabStop}
                    onComment={onComment}
                  />
                )}
                {row.kind === 'comments' && comments(row)}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function isCode(row: ReviewRow | undefined): boolean {
  if (row?.kind === 'line') return row.line.kind !== 'remark';
  return row?.kind === 'pair' && (row.pair.left ?? row.pair.right)?.kind !== 'remark';
}

function FileHead({
  file,
  isViewed,
  isFolded,
  onView,
  onFold,
}: {
  readonly file: ChangedPath;
  readonly isViewed: boolean;
  readonly isFolded: boolean;
  readonly onView: () => void;
  readonly onFold: () => void;
}): ReactNode {
  const path = markedLine(file.path);
  const remarks = changeRemarks(file).filter((remark) => remark !== 'binary');
  return (
    <div className="diff-file">
      <h2 className="diff-path">
        <button type="button" className="plain" aria-expanded={!isFolded} onClick={onFold}>
          <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span> <code>{path}</code>
        </button>
      </h2>
      <ChangeCounts file={file} />
      <span className="note">{remarks.map((remark) => markedLine(remark)).join(', ')}</span>
      <label className="diff-viewed">
        <input type="checkbox" checked={isViewed} onChange={onView} /> Viewed
      </label>
    </div>
  );
}
