import './review.css';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { findLine } from '../../domain/review/changed-line.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { cutText } from '../../protocol/cut-text.js';
import { longestQuote, type ReviewComment } from '../../protocol/review-comment.js';
import type { Thread } from '../../protocol/thread.js';
import { useKeys } from '../keys/use-keys.js';
import { useMedia } from '../parts/use-media.js';
import { Only } from '../rights.js';
import { CommentBox } from './comment-box.js';
import { commentsByFile } from './comments-by-file.js';
import { DiffList, type DiffListHandle } from './diff-list.js';
import { FileTreeView } from './file-tree-view.js';
import { hunkView } from './hunk-view.js';
import { LandingBar } from './landing-bar.js';
import { OtherComments } from './other-comments.js';
import { ReviewBar } from './review-bar.js';
import { type LinePlace, type ReviewFile, reviewRows } from './review-rows.js';
import { SendBar } from './send-bar.js';
import { useChanges } from './use-changes.js';
import { useComments } from './use-comments.js';
import { useShownContext } from './use-shown-context.js';
import { keepViewed, viewedPaths } from './viewed.js';

/** What the agent changed, line by line; what is to be said about it; and how it becomes one's own. */
export default function ReviewView({ thread }: { readonly thread: Thread }): ReactNode {
  const threadId = thread.id;
  const { lastDispatch } = thread;
  const changes = useChanges(threadId, lastDispatch?.state === 'ended' ? lastDispatch.id : undefined);
  const { list, lines, want } = changes;
  const { comments, unsent, act, ...commenting } = useComments(threadId, thread.lastSeq);
  const isNarrow = useMedia('narrow');
  const [isSplitWanted, setSplit] = useState(true);
  const isSplit = isSplitWanted && !isNarrow;
  const [viewed, setViewed] = useState<ReadonlySet<string>>(new Set());
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [writing, setWriting] = useState<readonly LinePlace[]>([]);
  const [current, setCurrent] = useState(0);
  const handle = useRef<DiffListHandle>(undefined);
  const keepHandle = useCallback((next: DiffListHandle) => {
    handle.current = next;
  }, []);
  const view = useMemo(hunkView, []);

  const files = useMemo(() => list?.files ?? [], [list]);
  const revision = list?.revision;
  useEffect(() => {
    const seen = revision === undefined ? new Set<string>() : viewedPaths(threadId, revision);
    setViewed(seen);
    setFolded(seen);
  }, [threadId, revision]);

  const toggleViewed = useCallback(
    (path: string) => {
      const next = new Set(viewed);
      if (!next.delete(path)) next.add(path);
      setViewed(next);
      setFolded((before) => {
        const after = new Set(before);
        if (next.has(path)) after.add(path);
        else after.delete(path);
        return after;
      });
      if (revision !== undefined) keepViewed(threadId, revision, next);
    },
    [viewed, revision, threadId],
  );
  const toggleFolded = useCallback((path: string) => {
    setFolded((before) => {
      const after = new Set(before);
      if (!after.delete(path)) after.add(path);
      return after;
    });
  }, []);
  const onFiles = useCallback(
    (first: number, last: number) => {
      setCurrent(first);
      want(
        files
          .slice(first, last + 1)
          .filter(({ binary, path }) => !binary && !folded.has(path))
          .map(({ path }) => path),
      );
    },
    [want, files, folded],
  );

  const { context, show } = useShownContext(threadId, revision, changes.markStale);
  const byFile = useMemo(() => commentsByFile(comments), [comments]);
  const rows = useMemo(() => {
    const all = files.map(
      (file): ReviewFile => ({
        file,
        isFolded: folded.has(file.path),
        lines: lines.get(file.path) ?? 'unread',
        context: context.get(file.path),
        comments: byFile.get(file.path) ?? [],
        writingAt: writing.filter((place) => place.file === file.path),
      }),
    );
    return reviewRows(all, { isSplit, view });
  }, [files, folded, lines, context, byFile, writing, isSplit, view]);

  const write = useCallback(
    (place: LinePlace) => setWriting((before) => [...without(before, place), place]),
    [],
  );
  const close = useCallback((place: LinePlace) => setWriting((before) => without(before, place)), []);
  const add = (place: LinePlace, body: string) => {
    const read = lines.get(place.file);
    const shown = context.get(place.file)?.hunks ?? [];
    const text = Array.isArray(read) ? findLine([...read, ...shown], place)?.text : undefined;
    const quote = text === undefined ? {} : { quote: cutText(text, longestQuote) };
    return act((client) => client.add(threadId, { ...place, body, ...quote }));
  };

  const go = (step: number) =>
    handle.current?.goToFile(Math.max(0, Math.min(files.length - 1, current + step)));
  useKeys({ j: () => go(1), k: () => go(-1) }, { isRepeating: true });
  useKeys({
    v: () => {
      const file = files[current];
      if (file) toggleViewed(file.path);
    },
    c: () => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && focused.matches('[data-gutter]')) focused.click();
      else document.querySelector<HTMLElement>('.diff-list [data-gutter][tabindex="0"]')?.focus();
    },
  });

  if (changes.failure !== undefined && !list)
    return (
      <p className="empty is-bad">
        {plainLine(changes.failure)}{' '}
        <button type="button" onClick={changes.readAgain}>
          Try again
        </button>
      </p>
    );
  if (!list) return <p className="loading">Loading…</p>;
  const elsewhere = comments.filter(({ file }) => !files.some(({ path }) => path === file));
  const counts = new Map([...byFile].map(([file, of]) => [file, of.filter(isOpen).length]));
  return (
    <div className="review">
      <ReviewBar
        list={list}
        viewed={viewed.size}
        current={current}
        layout={isNarrow ? undefined : isSplitWanted ? 'split' : 'unified'}
        isReading={changes.isReading}
        onGo={(file) => handle.current?.goToFile(file)}
        onLayout={(layout) => setSplit(layout === 'split')}
        onRefresh={changes.readAgain}
      />
      {changes.isStale && (
        <p className="review-stale" role="status">
          The agent has worked since this was read.{' '}
          <button type="button" onClick={changes.readAgain}>
            Show the new state
          </button>
        </p>
      )}
      {changes.failure !== undefined && (
        <p className="review-stale is-bad" role="alert">
          {plainText(changes.failure)}
        </p>
      )}
      {files.length === 0 ? (
        <p className="empty">No changes.</p>
      ) : (
        <div className="review-panes">
          <FileTreeView
            files={files}
            current={current}
            viewed={viewed}
            commentCounts={counts}
            onGo={(file) => handle.current?.goToFile(file)}
            onView={toggleViewed}
          />
          <DiffList
            rows={rows}
            files={files}
            viewed={viewed}
            folded={folded}
            onView={toggleViewed}
            onFold={toggleFolded}
            onComment={write}
            onShow={show}
            onFiles={onFiles}
            onHandle={keepHandle}
            comments={({ place, comments: said }) => (
              <CommentBox
                threadId={threadId}
                place={place}
                comments={said}
                isWriting={writing.some((each) => isSame(each, place))}
                act={act}
                onAdd={add}
                onClose={close}
              />
            )}
          />
        </div>
      )}
      <OtherComments threadId={threadId} comments={elsewhere} act={act} />
      <Only to="dispatch">
        <SendBar
          unsent={unsent}
          isActing={commenting.isActing}
          failure={commenting.failure}
          onSend={() => void act((client) => client.send(threadId))}
        />
      </Only>
      <Only to="approve">
        {list.isWorktree && (
          <LandingBar
            threadId={threadId}
            lastSeq={thread.lastSeq}
            isFetched={thread.workspace.repo !== undefined}
            onLanded={changes.readAgain}
          />
        )}
      </Only>
    </div>
  );
}

function isOpen({ state }: ReviewComment): boolean {
  return state === 'open';
}

function isSame(one: LinePlace, other: LinePlace): boolean {
  return one.file === other.file && one.line === other.line && one.side === other.side;
}

function without(places: readonly LinePlace[], place: LinePlace): LinePlace[] {
  return places.filter((each) => !isSame(each, place));
}
