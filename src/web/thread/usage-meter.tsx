import type { ReactNode } from 'react';
import { money } from '../../domain/words/money.js';
import { type AgentFacts, contextSize } from '../../live/agent-facts.js';
import type { Usage } from '../../protocol/thread.js';

/** What the thread used, and how full the agent's context is. */
export function UsageMeter({
  usage,
  facts,
}: {
  readonly usage: Usage;
  readonly facts: AgentFacts;
}): ReactNode {
  const size = contextSize(facts);
  const { contextWindow } = facts;
  return (
    <dl className="usage">
      <div>
        <dt>Cost</dt>
        <dd>{money(usage.costUsd)}</dd>
      </div>
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
            {contextWindow === undefined || contextWindow === 0 ? (
              short(size)
            ) : (
              <>
                <meter
                  min={0}
                  max={contextWindow}
                  value={size}
                  high={contextWindow * 0.8}
                  aria-label="Context used"
                >
                  {size}
                </meter>{' '}
                {Math.round((100 * size) / contextWindow)}%
              </>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A number as people say it: 950, 12k, 1.4M. */
function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
