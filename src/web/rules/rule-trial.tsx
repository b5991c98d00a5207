import './rules.css';
import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Rule } from '../../protocol/rule.js';
import { Link } from '../parts/link.js';
import { Only } from '../rights.js';

const states = { tested: 'not on yet', on: 'on', withdrawn: 'withdrawn' } as const;

/** One version of a rule: what it does, what it would have answered before, and how it is switched on and withdrawn. */
export function RuleTrial({
  rule,
  isActing,
  onSwitchOn,
  onWithdraw,
}: {
  readonly rule: Rule;
  readonly isActing: boolean;
  readonly onSwitchOn: () => void;
  readonly onWithdraw: () => void;
}): ReactNode {
  const { looked, isWhole, agreed, differed, differences } = rule.backtest;
  return (
    <div className="rule-trial">
      <p>
        <strong>
          {rule.name}@{rule.version}
        </strong>{' '}
        {states[rule.state]} · {rule.words}
      </p>
      <p className="note">
        Answered {rule.used}. In the back-test over {isWhole ? '' : 'the newest '}
        {looked} answers: {agreed} the same, {differed} different.
      </p>
      {rule.state !== 'withdrawn' && differences.length > 0 && (
        <ul className="rule-differences" aria-label={`Where ${rule.name} differs`}>
          {differences.map(({ promptId, threadId, asked, answered }) => (
            <li key={promptId}>
              <Link to={{ page: 'thread', threadId }}>{plainLine(asked)}</Link>: a person said{' '}
              <strong>{plainLine(answered)}</strong>
            </li>
          ))}
          {differed > differences.length && <li>and {differed - differences.length} more</li>}
        </ul>
      )}
      <Only to="approve">
        <div className="answer-row">
          {rule.state === 'tested' && (
            <button type="button" disabled={isActing} onClick={onSwitchOn}>
              {differed === 0 ? 'Switch on' : `Switch on although ${differed} differ`}
            </button>
          )}
          {rule.state !== 'withdrawn' && (
            <button type="button" disabled={isActing} onClick={onWithdraw}>
              Withdraw
            </button>
          )}
        </div>
      </Only>
    </div>
  );
}
