import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Asker } from '../../domain/words/ask-words.js';

import { plainText } from '../../domain/words/plain-text.js';
import type { FeedView, ThreadFeed } from '../../live/thread-feed.js';
import type { ThreadId } from '../../protocol/id.js';
import { useKeys } from '../keys/use-keys.js';
import { hourAndMinute } from '../parts/hour-and-minute.js';
import { EntryView } from './entry-view.js';
import { rowsOf } from './rows.js';

const nearEnd = 80;
const nearStart = 600;
const liveShown = 4000;

/** The thread from its first read line to what happens now; only what is on the screen is in the document. */
export const TimelineView = memo(function TimelineView({
  threadId,
  asker,
  feed,
  view,
  onRewind,
}: {
  readonly threadId: ThreadId;
  readonly asker: Asker;
  readonly feed: ThreadFeed;
  readonly view: FeedView;
  readonly onRewind: (checkpoint: string) => void;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [isFollowing, setFollowing] = useState(true);
  const rows = useMemo(() => rowsOf(view.entries, folded), [view.entries, folded]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    getItemKey: (index) => rows[index]?.entry.seq ?? index,
    overscan: 4,
    // Drawing at once what a scroll uncovers would block the page while text streams in.
    useFlushSync: false,
  });
  const size = virtualizer.getTotalSize();

  const jump = useCallback(() => {
    setFollowing(true);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    if (isFollowing && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [isFollowing, rows, size, view.live]);
  useHeldPlace(scroller, { from: view.from, size });
  useKeys({ l: jump });

  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd);
    if (element.scrollTop < nearStart && view.from > 1) void feed.readEarlier();
  };
  const fold = (seq: number) => {
    const next = new Set(folded);
    if (!next.delete(seq)) next.add(seq);
    setFolded(next);
  };

  return (
    <div className="timeline">
      <div
        ref={scroller}
        className="scroller"
        onScroll={scrolled}
        data-testid="timeline"
        tabIndex={0}
        role="log"
        aria-label="Timeline"
        aria-live="off"
      >
        {view.from > 1 && (
          <p className="note timeline-top">
            <button
              type="button"
              className="plain"
              disabled={view.isReading}
              onClick={() => void feed.readEarlier()}
            >
              {view.isReading ? 'Loading…' : `Load ${view.from - 1} earlier events`}
            </button>
          </p>
        )}
        <div role="list" className="virtual" style={{ height: size }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <div
                role="listitem"
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={`virtual-line entry depth-${Math.min(row.depth, 4)}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EntryTime at={row.entry.timestamp} before={rows[index - 1]?.entry.timestamp} />
                <div className="entry-body">
                  <EntryView
                    threadId={threadId}
                    row={row}
                    asker={asker}
                    isFolded={folded.has(row.entry.seq)}
                    onFold={() => fold(row.entry.seq)}
                    onRewind={onRewind}
                  />
                </div>
              </div>
            );
          })}
        </div>
        {view.live.thinking !== '' && (
          <p className="live live-thinking">{plainText(view.live.thinking.slice(-liveShown))}</p>
        )}
        {view.live.text !== '' && <p className="live">{plainText(view.live.text.slice(-liveShown))}</p>}
      </div>
      {!isFollowing && (
        <button type="button" className="jump primary" onClick={jump}>
          Jump to now <kbd>l</kbd>
        </button>
      )}
    </div>
  );
});

/** When a line was, to the minute; lines of the same minute say it once. */
function EntryTime({ at, before }: { readonly at: string; readonly before: string | undefined }): ReactNode {
  const words = hourAndMinute(at);
  const isNew = before === undefined || hourAndMinute(before) !== words;
  return (
    <time className="entry-time" dateTime={at} title={new Date(at).toLocaleString()}>
      {isNew ? words : <span className="unseen">{words}</span>}
    </time>
  );
}

/** Keeps what a person reads at its place when older lines are put before it. */
function useHeldPlace(
  scroller: { readonly current: HTMLElement | null },
  { from, size }: { readonly from: number; readonly size: number },
): void {
  const before = useRef({ from, size });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && from < before.current.from) element.scrollTop += size - before.current.size;
    before.current = { from, size };
  }, [scroller, from, size]);
}
