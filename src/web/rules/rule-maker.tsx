import './rules.css';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { given } from '../../protocol/given.js';
import type { PromptId } from '../../protocol/id.js';
import { type Rule, RuleName, RuleReach } from '../../protocol/rule.js';
import { Link } from '../parts/link.js';
import { useControl } from '../parts/use-control.js';
import { RuleTrial } from './rule-trial.js';

const reaches = {
  file: 'this file alone',
  kind: 'files of its kind in its folder',
  workspace: 'every file of the workspace that is not hidden',
} as const satisfies Record<RuleReach, string>;

/** Makes a rule from an answer: a name and a scope, then what it would have answered before, and only then it is switched on. */
export default function RuleMaker({
  promptId,
  hasReach,
  onClose,
}: {
  /** What a person has answered. */
  readonly promptId: PromptId;
  /** It is about a file, so that the rule can be about more than that one. */
  readonly hasReach: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [reach, setReach] = useState<RuleReach>('file');
  const [rule, setRule] = useState<Rule>();
  const [said, setSaid] = useState('');
  const { isActing, failure, act } = useControl();
  const hint = useId();
  const make = (event: FormEvent) => {
    event.preventDefault();
    const known = RuleName.safeParse(name.trim()).data;
    if (known === undefined)
      return setSaid('A name has lower-case letters, digits and dashes: tests-may-run.');
    setSaid('');
    act(async ({ rules }) => {
      setRule(
        await rules.create({
          name: known,
          from: [promptId],
          ...given({ reach: hasReach ? reach : undefined }),
        }),
      );
    });
  };
  return (
    <section className="rule-maker" aria-label="Make a rule">
      {rule ? (
        <RuleTrial
          rule={rule}
          isActing={isActing}
          onSwitchOn={() =>
            act(async ({ rules }) =>
              setRule(await rules.switchOn(rule.id, { differed: rule.backtest.differed })),
            )
          }
          onWithdraw={() => act(async ({ rules }) => setRule(await rules.withdraw(rule.id)))}
        />
      ) : (
        <form onSubmit={make}>
          <p className="note" id={hint}>
            A rule gives this answer in your place, in this project only. It is tried on recorded answers
            first, and answers nothing until you switch it on.
          </p>
          <div className="answer-row">
            <label>
              Name of the rule
              <input
                autoFocus
                value={name}
                placeholder="tests-may-run"
                aria-describedby={hint}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
            {hasReach && (
              <label>
                Covers
                <select
                  value={reach}
                  onChange={(event) => setReach(RuleReach.catch('file').parse(event.target.value))}
                >
                  {RuleReach.options.map((each) => (
                    <option key={each} value={each}>
                      {reaches[each]}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <button type="submit" disabled={isActing}>
              Try it on what was answered
            </button>
          </div>
        </form>
      )}
      <p role="alert" className="note is-bad">
        {failure ?? said}
      </p>
      <p className="answer-row">
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
        <Link to={{ page: 'settings' }}>All rules</Link>
      </p>
    </section>
  );
}
