import './thread.css';
import '../parts/parts.css';
import '../inbox/inbox.css';
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { agentName } from '../../domain/words/agent-name.js';
import type { Asker } from '../../domain/words/ask-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { statusWords } from '../../domain/words/status-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { PromptAnswer } from '../inbox/prompt-answer.js';
import { useKeptPrompt } from '../inbox/use-kept-prompt.js';
import { usePrompt } from '../inbox/use-prompt.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { ThreadMark } from '../parts/mark.js';
import { useControl } from '../parts/use-control.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import { AgentPanel } from './agent-panel.js';
import { Composer } from './composer.js';
import { GrantsPanel } from './grants-panel.js';
import { RawView } from './raw-view.js';
import { StatusStrip } from './status-strip.js';
import { ThreadControls } from './thread-controls.js';
import { TimelineView } from './timeline-view.js';
import { UsageMeter } from './usage-meter.js';
import { useThreadFeed } from './use-thread-feed.js';
import { useThreadWork } from './use-thread-work.js';
import { WaitingWork } from './waiting-work.js';

const views = { timeline: 'Timeline', review: 'Review', raw: 'Events' } as const;
// Most threads are looked at without it.
const ReviewView = lazy(() => import('../review/review-view.js'));
type View = keyof typeof views;
const order: readonly View[] = ['timeline', 'review', 'raw'];

/** A thread: what its agent did and does, and what a person can do about it. */
export default function ThreadPage({ threadId }: { readonly threadId: ThreadId }): ReactNode {
  const { overview: store } = useConsole();
  const { threads, isPresent } = useOverview(store);
  const thread = threads.get(threadId);
  const { feed, view } = useThreadFeed(threadId);
  const work = useThreadWork(thread, view);
  const [shown, setShown] = useState<View>('timeline');
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
  const path = thread?.workspace.path;
  // The same object as long as nothing of it changes: a thread is another one with every event.
  const asker = useMemo<Asker>(
    () => ({ runtime, ...(path === undefined ? {} : { workspace: { path } }) }),
    [runtime, path],
  );
  // In the review, v ticks a file off.
  useKeys(
    shown === 'review'
      ? { l: () => setShown('timeline') }
      : { v: () => setShown(order[(order.indexOf(shown) + 1) % order.length] ?? 'timeline') },
  );

  if (!thread) {
    return (
      <p className={isPresent ? 'empty' : 'loading'}>
        {isPresent ? 'This thread does not exist.' : 'Loading…'}
      </p>
    );
  }
  const { status, lastDispatch } = thread;
  return (
    <div className="thread">
      <header className="thread-head">
        <div className="thread-name">
          <h1>{plainLine(thread.title) || thread.id}</h1>
          <p className="note prompt-facts">
            <ThreadMark thread={thread} />
            <span>
              {status.state === 'busy' ? plainLine(thread.activity ?? status.why) : statusWords(status)}
            </span>
            {lastDispatch && <WorkWhy work={lastDispatch} />}
            <span>{agentName(thread.runtime)}</span>
            <WorkspaceName workspace={thread.workspace} />
          </p>
        </div>
        <UsageMeter usage={thread.usage} facts={view.facts} />
        {shown !== 'review' && (
          <>
            <StatusStrip thread={thread} />
            <ThreadControls thread={thread} work={work} facts={view.facts} control={control} />
            <GrantsPanel thread={thread} />
            <AgentPanel thread={thread} control={control} />
          </>
        )}
      </header>
      <div className="views" role="tablist" aria-label="View">
        {order.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === shown}
            aria-controls="thread-view"
            tabIndex={each === shown ? 0 : -1}
            className="tab"
            onClick={() => setShown(each)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
              const next = order[(order.indexOf(each) + step + order.length) % order.length];
              if (step === 0 || !next) return;
              setShown(next);
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {views[each]}
          </button>
        ))}
      </div>
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
      {(prompt !== undefined || shown !== 'review') && (
        <footer className="thread-foot">
          {prompt && (
            <section className="thread-prompt" aria-label="Waiting for your answer">
              <PromptAnswer key={prompt.id} prompt={prompt} thread={thread} onAnswered={goOn} onNext={goOn} />
            </section>
          )}
          {shown !== 'review' && (
            <>
              <WaitingWork work={work} />
              <Composer thread={thread} isAsking={current !== undefined && isOpenPrompt(current)} />
            </>
          )}
        </footer>
      )}
    </div>
  );
}

function WorkWhy({ work }: { readonly work: NonNullable<Thread['lastDispatch']> }): ReactNode {
  const words = queuedWords(work, useNow(useConsole().clock));
  return words === '' ? null : <span>{words}</span>;
}
