import { type ReactNode, useEffect, useState } from 'react';
import { actorWords } from '../../../domain/words/actor-words.js';
import { markedLine } from '../../../domain/words/marked-text.js';
import { errorSentence } from '../../../protocol/error-sentence.js';
import type { Grant } from '../../../protocol/grant.js';
import type { Thread } from '../../../protocol/thread.js';
import { useConsole } from '../../console-context.js';
import { ToolInput } from '../../parts/tool-input.js';
import { Only } from '../../rights.js';

/** What was approved for the whole thread: exactly what is not asked again, and the way to take it back. */
export function GrantsPanel({ thread }: { readonly thread: Thread }): ReactNode {
  const { client } = useConsole();
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [failure, setFailure] = useState<string>();
  const { id, status } = thread;
  // A grant is given with an answer, and whatever is answered changes the status.
  const { state } = status;
  const asked = status.state === 'question' ? status.promptId : undefined;
  useEffect(() => {
    let isWanted = true;
    client.threads.grants(id).then(
      (found) => isWanted && setGrants(found),
      (error: unknown) => isWanted && setFailure(errorSentence(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [client, id, state, asked]);
  const withdraw = (grant: Grant) => {
    client.threads.withdrawGrant(id, grant.promptId).then(setGrants, (error: unknown) => {
      setFailure(errorSentence(error));
    });
  };
  if (grants.length === 0 && failure === undefined) return null;
  return (
    <details className="grants">
      <summary>{`Always in this thread: ${grants.length === 1 ? '1 rule' : `${grants.length} rules`}`}</summary>
      <p role="alert" className="note is-bad">
        {failure}
      </p>
      <ul aria-label="Always in this thread">
        {grants.map((grant) => (
          <li key={grant.promptId}>
            <p>
              <strong>Allows {markedLine(grant.tool)} with exactly this input</strong>{' '}
              <span className="note">by {actorWords(grant.actor)}; not asked again in this thread</span>{' '}
              <Only to="approve">
                <button type="button" onClick={() => withdraw(grant)}>
                  Withdraw
                </button>
              </Only>
            </p>
            <ToolInput input={grant.input} />
          </li>
        ))}
      </ul>
    </details>
  );
}
