import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import { markedLine } from '../../domain/words/marked-text.js';
import type { ChangedPath } from '../../protocol/changes.js';
import { statusLetter, treeRows } from './file-tree.js';

const rowHeight = 28;

/** The changed files by their folders, with how much changed, and a tick for what was looked at. */
export function FileTreeView({
  files,
  current,
  viewed,
  commentCounts,
  onGo,
  onView,
}: {
  readonly files: readonly ChangedPath[];
  readonly current: number;
  readonly viewed: ReadonlySet<string>;
  readonly commentCounts: ReadonlyMap<string, number>;
  readonly onGo: (file: number) => void;
  readonly onView: (path: string) => void;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => treeRows(files), [files]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  return (
    <nav ref={scroller} className="file-tree scroller" aria-label="Changed files">
      <div className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const file = row.kind === 'file' ? files[row.index] : undefined;
          return (
            <div
              key={index}
              className="virtual-line tree-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === 'folder' && <span className="tree-folder">{markedLine(row.path)}</span>}
              {row.kind === 'file' && file && (
                <FileRow
                  file={file}
                  name={row.name}
                  isCurrent={row.index === current}
                  isViewed={viewed.has(file.path)}
                  comments={commentCounts.get(file.path) ?? 0}
                  onGo={() => onGo(row.index)}
                  onView={() => onView(file.path)}
                />
              )}
            </div>
          );
        })}
      </div>
    </nav>
  );
}

function FileRow({
  file,
  name,
  isCurrent,
  isViewed,
  comments,
  onGo,
  onView,
}: {
  readonly file: ChangedPath;
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isViewed: boolean;
  readonly comments: number;
  readonly onGo: () => void;
  readonly onView: () => void;
}): ReactNode {
  const shown = markedLine(name);
  return (
    <span className={`tree-file${isCurrent ? ' is-current' : ''}${isViewed ? ' is-viewed' : ''}`}>
      <input type="checkbox" checked={isViewed} aria-label={`${shown} viewed`} onChange={onView} />
      <button
        type="button"
        className="tree-name"
        aria-current={isCurrent}
        onClick={onGo}
        title={markedLine(file.path)}
      >
        {shown}
      </button>
      {comments > 0 && (
        <span className="note" title={`${comments} open comments`}>
          <span aria-hidden="true">✎ {comments}</span>
          <span className="unseen">{comments} open comments</span>
        </span>
      )}
      <ChangeCounts file={file} />
      <span className={`tree-letter is-${file.status}`} title={file.status}>
        {statusLetter(file)}
      </span>
    </span>
  );
}

/** How much of a file changed. */
export function ChangeCounts({ file }: { readonly file: ChangedPath }): ReactNode {
  if (file.binary || file.added === null) return <span className="note">binary</span>;
  return (
    <span className="counts">
      <span className="note-good">+{file.added}</span> <span className="note-bad">−{file.removed}</span>
    </span>
  );
}
