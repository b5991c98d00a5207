import { PanelRight, Pause } from 'lucide-react';
import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { statusWords } from '../../domain/words/status-words.js';
import type { AgentFacts } from '../../live/agent-facts.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { ThreadMark } from '../parts/mark.js';
import type { Control } from '../parts/use-control.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import { useMay } from '../rights.js';
import { isAtWork } from './at-work.js';
import { ThreadMenu } from './thread-menu.js';
import { type ThreadTab, ThreadTabs } from './thread-tabs.js';

export interface ThreadHeaderProps {
  readonly thread: Thread;
  /** What it asks, if it does. */
  readonly prompt: Prompt | undefined;
  readonly work: readonly Dispatch[];
  readonly facts: AgentFacts;
  readonly control: Control;
  readonly shown: ThreadTab;
  readonly onShow: (view: ThreadTab) => void;
  /** Opens the details where they have no pane of their own. */
  readonly onDetails: (() => void) | undefined;
}

/** One line: where the thread stands, what it is called, what is shown of it, and what can be done. */
export function ThreadHeader({
  thread,
  prompt,
  work,
  facts,
  control,
  shown,
  onShow,
  onDetails,
}: ThreadHeaderProps): ReactNode {
  const { id } = thread;
  const canSteer = useMay('dispatch');
  const canApprove = useMay('approve');
  const canInterrupt = isAtWork(thread) && canSteer;
  const interrupt = () => control.act(({ threads }) => threads.interrupt(id));
  useKeys(canInterrupt ? { i: interrupt } : {});
  return (
    <header className="thread-head">
      <ThreadMark thread={thread} prompt={prompt} />
      <h1 title={plainLine(thread.title)}>{plainLine(thread.title) || id}</h1>
      <p className="note thread-facts-line">
        <WorkspaceName workspace={thread.workspace} />
        <StandingWords thread={thread} />
      </p>
      <div className="thread-tools">
        <ThreadTabs shown={shown} onShow={onShow} />
        {canInterrupt && (
          <button type="button" disabled={control.isActing} onClick={interrupt}>
            <Pause size={17} className="button-icon" />
            <span className="button-words">Interrupt</span> <kbd>i</kbd>
          </button>
        )}
        {onDetails && (
          <button type="button" onClick={onDetails}>
            <PanelRight size={17} className="button-icon" />
            <span className="button-words">Details</span>
          </button>
        )}
        {(canSteer || canApprove) && (
          <ThreadMenu thread={thread} work={work} facts={facts} control={control} />
        )}
      </div>
      <p role="alert" className="note is-bad">
        {control.failure}
      </p>
    </header>
  );
}

function StandingWords({ thread }: { readonly thread: Thread }): ReactNode {
  const { status, lastDispatch, activity } = thread;
  const now = useNow(useConsole().clock);
  const queued = lastDispatch ? queuedWords(lastDispatch, now) : '';
  const words = status.state === 'busy' ? plainLine(activity ?? status.why) : statusWords(status);
  return (
    <>
      <span className="thread-standing">{words}</span>
      {queued !== '' && <span className="thread-standing">{queued}</span>}
    </>
  );
}
