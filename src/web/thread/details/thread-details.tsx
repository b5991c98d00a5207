import './details.css';
import type { ReactNode } from 'react';
import type { FeedView } from '../../../live/thread-feed.js';
import type { Thread } from '../../../protocol/thread.js';
import type { Control } from '../../parts/use-control.js';
import { AgentPanel } from './agent-panel.js';
import { ChangedFiles } from './changed-files.js';
import { GrantsPanel } from './grants-panel.js';
import { StatusStrip } from './status-strip.js';
import { SubAgentTree } from './sub-agent-tree.js';
import { TodoSection } from './todo-section.js';
import { UsageMeter } from './usage-meter.js';
import { WhereItWorks } from './where-it-works.js';

// Each so many lines of the timeline the files are looked at again.
const linesPerRound = 10;

/** What stands beside the timeline: how the agent spends its time and money, what it plans, started and changed. */
export function ThreadDetails({
  thread,
  view,
  control,
  onReview,
}: {
  readonly thread: Thread;
  readonly view: FeedView;
  readonly control: Control;
  readonly onReview: () => void;
}): ReactNode {
  const round = Math.floor(view.entries.length / linesPerRound);
  return (
    <div className="details" data-testid="details">
      <StatusStrip thread={thread} />
      <TodoSection todos={view.facts.todos} />
      <SubAgentTree view={view} />
      <ChangedFiles thread={thread} round={round} onReview={onReview} />
      <UsageMeter thread={thread} facts={view.facts} />
      <WhereItWorks thread={thread} facts={view.facts} />
      <GrantsPanel thread={thread} />
      <AgentPanel thread={thread} control={control} />
    </div>
  );
}
