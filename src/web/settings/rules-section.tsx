import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Rule } from '../../protocol/rule.js';
import { useConsole } from '../console-context.js';
import { RuleTrial } from '../rules/rule-trial.js';

/** Rules that answer in place of a person: what each does, how it did in the back-test, and how it is withdrawn. */
export function RulesSection(): ReactNode {
  const { client } = useConsole();
  const [rules, setRules] = useState<readonly Rule[]>();
  const [failure, setFailure] = useState('');
  const [isActing, setActing] = useState(false);
  const tell = (error: unknown) => setFailure(errorSentence(error));
  const read = useCallback(async () => setRules((await client.rules.all()).toReversed()), [client]);
  useEffect(() => {
    read().catch(tell);
  }, [read]);
  const act = (work: Promise<Rule>) => {
    setFailure('');
    setActing(true);
    work
      .then(read)
      .catch(tell)
      .finally(() => setActing(false));
  };
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Rules</h2>
      <p className="note">
        Nothing is answered without you unless a rule is on. Make one with <em>Make a rule…</em> at an answer,
        or with <code>handraise rule add NAME PROMPT</code>.
      </p>
      <p role="alert" className="note is-bad">
        {failure}
      </p>
      <ul className="settings-list" aria-label="Rules">
        {rules?.map((rule) => (
          <li key={rule.id}>
            <RuleTrial
              rule={rule}
              isActing={isActing}
              onSwitchOn={() => act(client.rules.switchOn(rule.id, { differed: rule.backtest.differed }))}
              onWithdraw={() => act(client.rules.withdraw(rule.id))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
