import { type ReactNode, useMemo } from 'react';
import { plainLine } from '../../../domain/words/plain-text.js';
import { type SubAgent, subAgents } from '../../../live/sub-agents.js';
import type { FeedView } from '../../../live/thread-feed.js';
import { Age } from '../../parts/age.js';
import { Markdown } from '../../parts/markdown.js';

const longest = 120;
// Deeper ones stand as deep as this, so that a narrow pane still has room for words.
const deepest = 4;

/** The agents that the agent started, each below the one that started it, with what it said in the end. */
export function SubAgentTree({ view }: { readonly view: FeedView }): ReactNode {
  const { events, entries } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the events are one array that grows; its length says that it did
  const agents = useMemo(() => subAgents(events, entries), [events, events.length, entries]);
  const running = useMemo(() => countOf(agents, ({ isRunning }) => isRunning), [agents]);
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby="details-agents">
      <h2 id="details-agents">
        Sub-agents{' '}
        <span className="note">
          {running > 0 ? `${running} of ${countOf(agents, () => true)} at work` : countOf(agents, () => true)}
        </span>
      </h2>
      <Agents agents={agents} depth={0} />
    </section>
  );
}

function Agents({
  agents,
  depth,
}: {
  readonly agents: readonly SubAgent[];
  readonly depth: number;
}): ReactNode {
  return (
    <ul className={depth > 0 && depth <= deepest ? 'sub-agents is-below' : 'sub-agents'}>
      {agents.map((agent) => (
        <li key={agent.agentId}>
          <Agent agent={agent} />
          {agent.children.length > 0 && <Agents agents={agent.children} depth={depth + 1} />}
        </li>
      ))}
    </ul>
  );
}

function Agent({ agent }: { readonly agent: SubAgent }): ReactNode {
  const { kind, task, isRunning, said, calls, startedAt } = agent;
  const name = plainLine(task, { maxLength: longest }) || plainLine(kind, { maxLength: longest });
  const facts = [plainLine(kind, { maxLength: 40 }), calls === 1 ? '1 call' : `${calls} calls`];
  const head = (
    <>
      <span className={isRunning ? 'mark tone-work' : 'mark tone-quiet'}>
        {isRunning ? 'Working' : 'Ended'}
      </span>{' '}
      <span className="sub-agent-name">{name}</span>{' '}
      <span className="note">
        {facts.join(' · ')}
        {isRunning && (
          <>
            {' · '}
            <Age at={startedAt} />
          </>
        )}
      </span>
    </>
  );
  if (said === '') return <p className="sub-agent">{head}</p>;
  return (
    <details className="sub-agent">
      <summary>{head}</summary>
      <Markdown text={said} />
    </details>
  );
}

function countOf(agents: readonly SubAgent[], isCounted: (agent: SubAgent) => boolean): number {
  return agents.reduce(
    (sum, agent) => sum + (isCounted(agent) ? 1 : 0) + countOf(agent.children, isCounted),
    0,
  );
}
