import type { ReactNode } from 'react';
import { amountWords } from '../../../domain/dispatch/budget.js';
import { money } from '../../../domain/words/money.js';
import { type AgentFacts, contextSize } from '../../../live/agent-facts.js';
import type { Thread } from '../../../protocol/thread.js';

/** What the thread used, and how full the agent's context is. */
export function UsageMeter({
  thread: { usage, budget },
  facts,
}: {
  readonly thread: Pick<Thread, 'usage' | 'budget'>;
  readonly facts: AgentFacts;
}): ReactNode {
  const size = contextSize(facts);
  const { contextWindow } = facts;
  const spent = budget?.usd === undefined ? undefined : { of: budget.usd, used: usage.costUsd ?? 0 };
  return (
    <section aria-labelledby="details-usage">
      <h2 id="details-usage">Usage and budget</h2>
      <dl className="details-facts usage">
        <div>
          <dt>Cost</dt>
          <dd>{money(usage.costUsd)}</dd>
        </div>
        {budget && (
          <div>
            <dt>Budget</dt>
            <dd>{amountWords(budget)}</dd>
          </div>
        )}
        {spent && (
          <div className="is-wide">
            <dt className="unseen">Spent of the budget</dt>
            <dd>
              <meter min={0} max={spent.of} value={spent.used} high={spent.of * 0.8} aria-label="Budget used">
                {money(spent.used)}
              </meter>
            </dd>
          </div>
        )}
        <div>
          <dt>Tokens</dt>
          <dd title={`${usage.inputTokens} in, ${usage.outputTokens} out`}>
            {short(usage.inputTokens)} in · {short(usage.outputTokens)} out
          </dd>
        </div>
        {size !== undefined && (
          <div>
            <dt>Context</dt>
            <dd>
              {contextWindow === undefined || contextWindow === 0
                ? short(size)
                : `${short(size)} of ${short(contextWindow)} · ${Math.round((100 * size) / contextWindow)} %`}
            </dd>
          </div>
        )}
        {size !== undefined && contextWindow !== undefined && contextWindow > 0 && (
          <div className="is-wide">
            <dt className="unseen">Context used</dt>
            <dd>
              <meter
                min={0}
                max={contextWindow}
                value={size}
                high={contextWindow * 0.8}
                aria-label="Context used"
              >
                {size}
              </meter>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** A number as people say it: 950, 12k, 1.4M. */
function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
