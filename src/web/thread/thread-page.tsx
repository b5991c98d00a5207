import { seenFolder } from '../../domain/container/seen-folder.js';
import './workplace.css';
import './thread.css';
import '../parts/parts.css';
import '../inbox/inbox.css';
import { type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { statusMarks } from '../../domain/status/status-mark.js';
import { type Asker, askWords } from '../../domain/words/ask-words.js';
import { promptKind } from '../../domain/words/prompt-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { PromptAnswer } from '../inbox/prompt-answer.js';
import { useKeptPrompt } from '../inbox/use-kept-prompt.js';
import { usePrompt } from '../inbox/use-prompt.js';
import { useKeys } from '../keys/use-keys.js';
import { loadedPart } from '../loaded-part.js';
import { useOverview } from '../overview/use-overview.js';
import { Link } from '../parts/link.js';
import { MarkIcon } from '../parts/mark-icon.js';
import { useControl } from '../parts/use-control.js';
import { useMedia } from '../parts/use-media.js';
import { Only } from '../rights.js';
import { Composer } from './composer.js';
import { DetailsDrawer } from './details/details-drawer.js';
import { ThreadDetails } from './details/thread-details.js';
import { RawView } from './raw-view.js';
import { ThreadHeader } from './thread-header.js';
import { ThreadRail } from './thread-rail.js';
import { type ThreadTab, viewAfter } from './thread-tabs.js';
import { TimelineView } from './timeline-view.js';
import { useThreadFeed } from './use-thread-feed.js';
import { useThreadWork } from './use-thread-work.js';
import { WaitingWork } from './waiting-work.js';

// Most threads are looked at without it.
const ReviewView = loadedPart(() => import('../review/review-view.js'));
/** A thread: what its agent did and does, and what a person can do about it. */
export default function ThreadPage({ threadId }: { readonly threadId: ThreadId }): ReactNode {
  const { overview: store } = useConsole();
  const { threads, isPresent } = useOverview(store);
  const thread = threads.get(threadId);
  const { feed, view } = useThreadFeed(threadId);
  const work = useThreadWork(thread, view);
  const [shown, setShown] = useState<ThreadTab>('timeline');
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const isWide = useMedia('wide');
  const isNarrow = useMedia('narrow');
  // The review names the files itself, and its lines need the room.
  const hasDetails = [useMedia('widest'), isWide && shown !== 'review'].some(Boolean);
  // What streams in is drawn in between, so that keys never wait for it.
  const drawn = useDeferredValue(view);
  const control = useControl();
  const { act } = control;
  const rewind = useCallback(
    (checkpoint: string) => act((client) => client.threads.rewind(threadId, checkpoint)),
    [act, threadId],
  );
  const asked = thread?.status.state === 'question' ? thread.status.promptId : undefined;
  const current = usePrompt(asked);
  const { prompt, goOn } = useKeptPrompt(current && isOpenPrompt(current) ? current.id : undefined, threadId);
  const runtime = thread?.runtime;
  const path = seenFolder(thread);
  // The same object as long as nothing of it changes: a thread is another one with every event.
  const asker = useMemo<Asker>(
    () => ({ runtime, ...(path === undefined ? {} : { workspace: { path } }) }),
    [runtime, path],
  );
  // In the review, v ticks a file off.
  useKeys(
    shown === 'review' ? { l: () => setShown('timeline') } : { v: () => setShown(viewAfter(shown, 1)) },
  );

  if (!thread) {
    return (
      <p className={isPresent ? 'empty' : 'loading'}>
        {isPresent ? 'This thread does not exist.' : 'Loading…'}
      </p>
    );
  }
  const details = (
    <ThreadDetails thread={thread} view={drawn} control={control} onReview={() => setShown('review')} />
  );
  return (
    <div className={!isWide ? 'workplace is-single' : hasDetails ? 'workplace' : 'workplace has-no-details'}>
      {isWide && <ThreadRail current={threadId} />}
      <div className="thread">
        <ThreadHeader
          thread={thread}
          prompt={current}
          work={work}
          facts={view.facts}
          control={control}
          shown={shown}
          onShow={setShown}
          onDetails={hasDetails ? undefined : () => setDrawerOpen(true)}
        />
        <div id="thread-view" role="tabpanel" aria-labelledby={`tab-${shown}`} className="thread-view">
          {view.failure !== undefined && <p className="note is-bad">{view.failure}</p>}
          {!view.isLoaded && <p className="loading">Loading…</p>}
          {view.isLoaded && shown === 'timeline' && (
            <TimelineView threadId={threadId} asker={asker} feed={feed} view={drawn} onRewind={rewind} />
          )}
          {shown === 'review' && (
            <Suspense fallback={<p className="loading">Loading…</p>}>
              <ReviewView thread={thread} />
            </Suspense>
          )}
          {view.isLoaded && shown === 'raw' && <RawView thread={thread} feed={feed} view={view} />}
        </div>
        {isNarrow && prompt && isOpenPrompt(prompt) && <AskingBar prompt={prompt} asker={asker} />}
        {((prompt !== undefined && !isNarrow) || shown !== 'review') && (
          <footer className="thread-foot">
            {prompt && !isNarrow && (
              <section className="thread-prompt" aria-labelledby="thread-asks">
                <h2 id="thread-asks" className="unseen">
                  Waiting for your answer
                </h2>
                <PromptAnswer
                  key={prompt.id}
                  prompt={prompt}
                  thread={thread}
                  onAnswered={goOn}
                  onNext={goOn}
                />
              </section>
            )}
            {shown !== 'review' && (
              <>
                <WaitingWork work={work} />
                <Only to="dispatch">
                  <Composer thread={thread} isAsking={current !== undefined && isOpenPrompt(current)} />
                </Only>
              </>
            )}
          </footer>
        )}
      </div>
      {hasDetails ? (
        <aside className="details-pane" aria-label="Details">
          {details}
        </aside>
      ) : (
        isDrawerOpen && <DetailsDrawer onClose={() => setDrawerOpen(false)}>{details}</DetailsDrawer>
      )}
    </div>
  );
}

/** Leads to the open question, which has the whole page there. */
function AskingBar({ prompt, asker }: { readonly prompt: Prompt; readonly asker: Asker }): ReactNode {
  return (
    <Link to={{ page: 'inbox', promptId: prompt.id }} className="asking-bar">
      <MarkIcon mark={{ ...statusMarks.question, word: promptKind(prompt) }} />
      <span className="asking-bar-words">{askWords(prompt, asker)}</span>
      <b>Answer</b>
    </Link>
  );
}
