import './thread.css';
import '../parts/parts.css';
import '../inbox/inbox.css';
import { type ReactNode, useCallback, useDeferredValue, useState } from 'react';
import { plainLine } from '../../domain/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import { PromptAnswer } from '../inbox/prompt-answer.js';
import { usePrompt } from '../inbox/use-prompt.js';
import { useKeys } from '../keys/use-keys.js';
import { useOutside } from '../outside.js';
import { isOpen } from '../overview/overview.js';
import { useOverview } from '../overview/overview-store.js';
import { StatusMark, WorkMark } from '../parts/mark.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import { ChangesView } from './changes-view.js';
import { Composer } from './composer.js';
import { RawView } from './raw-view.js';
import { StatusStrip } from './status-strip.js';
import { ThreadControls } from './thread-controls.js';
import { useThreadFeed } from './thread-feed.js';
import { TimelineView } from './timeline-view.js';
import { UsageMeter } from './usage-meter.js';
import { useControl } from './use-control.js';

const views = { timeline: 'Timeline', changes: 'Changes', raw: 'Raw events' } as const;
type View = keyof typeof views;
const order: readonly View[] = ['timeline', 'changes', 'raw'];

/** A thread: what its agent did and does, and what a person can do about it. */
export default function ThreadPage({ threadId }: { readonly threadId: ThreadId }): ReactNode {
  const { overview: store } = useOutside();
  const { threads, isPresent } = useOverview(store);
  const thread = threads.get(threadId);
  const { feed, view } = useThreadFeed(threadId);
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
  const prompt = usePrompt(asked);
  useKeys({ v: () => setShown(order[(order.indexOf(shown) + 1) % order.length] ?? 'timeline') });

  if (!thread) {
    return (
      <p className={isPresent ? 'empty' : 'loading'}>{isPresent ? 'There is no such thread.' : 'Loading…'}</p>
    );
  }
  const { status, lastDispatch } = thread;
  return (
    <div className="thread">
      <header className="thread-head">
        <div className="thread-name">
          <h1>{plainLine(thread.title) || thread.id}</h1>
          <p className="note prompt-facts">
            <StatusMark state={status.state} />
            {lastDispatch && <WorkMark work={lastDispatch} />}
            <span>{plainLine(status.state === 'busy' ? (thread.activity ?? status.why) : status.why)}</span>
            <span>{thread.runtime}</span>
            <WorkspaceName workspace={thread.workspace} />
          </p>
        </div>
        <UsageMeter usage={thread.usage} facts={view.facts} />
        <StatusStrip thread={thread} />
        <ThreadControls thread={thread} facts={view.facts} control={control} />
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
        {view.isLoaded && shown === 'timeline' && <TimelineView feed={feed} view={drawn} onRewind={rewind} />}
        {shown === 'changes' && <ChangesView threadId={threadId} />}
        {view.isLoaded && shown === 'raw' && <RawView thread={thread} feed={feed} view={view} />}
      </div>
      <footer className="thread-foot">
        {prompt && isOpen(prompt) && (
          <section className="thread-prompt" aria-label="Open prompt">
            <PromptAnswer key={prompt.id} prompt={prompt} thread={thread} />
          </section>
        )}
        <Composer thread={thread} isAsking={prompt !== undefined && isOpen(prompt)} />
      </footer>
    </div>
  );
}
