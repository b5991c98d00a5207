import './precedents.css';
import { type ReactNode, useEffect, useState } from 'react';
import { actorWords } from '../../domain/words/actor-words.js';
import { unreadWords } from '../../domain/words/reading-words.js';
import type { Precedent } from '../../protocol/precedent.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { readFailed } from '../parts/read-failure.js';
import type { Reading } from '../parts/use-reading.js';
import { MakeRuleButton } from '../rules/make-rule-button.js';
import type { Answering } from './use-answer.js';

export interface PrecedentsProps {
  readonly prompt: Prompt;
  readonly answering: Answering;
  readonly reading: Reading;
}

/** What was answered before to the same or the like; one key gives the same answer, to what was read whole. */
export function Precedents({ prompt, answering, reading }: PrecedentsProps): ReactNode {
  const precedents = usePrecedents(prompt);
  const offered = precedents.find(({ answer }) => answer);
  const take = ({ answer }: Precedent) => {
    if (!answer || !answering.mayDecide()) return;
    const isYes = 'decision' in answer && answer.decision.approved;
    if (isYes && unreadWords(reading) !== '') reading.showNext();
    else answering.send(answer);
  };
  useKeys(offered ? { '=': () => take(offered) } : {});
  if (precedents.length === 0) return null;
  return (
    <ul className="precedents" aria-label="Answered before">
      {precedents.map((precedent) => (
        <li key={precedent.promptId}>
          <span className="precedent-words">
            <Age at={precedent.at} /> ago, {precedent.likeness === 'same' ? 'the same' : precedent.asked}:{' '}
            <strong>{precedent.answered}</strong>{' '}
            <span className="note">
              by {actorWords(precedent.actor)} in{' '}
              <Link to={{ page: 'thread', threadId: precedent.threadId }}>this thread</Link>
            </span>
          </span>
          {precedent.answer && (
            <button type="button" disabled={answering.isSending} onClick={() => take(precedent)}>
              Use again {precedent === offered && <kbd>=</kbd>}
            </button>
          )}
          {precedent.likeness === 'same' && <MakeRuleButton prompt={prompt} answered={precedent.promptId} />}
        </li>
      ))}
    </ul>
  );
}

/** A help and no more: where they cannot be read, the prompt is answered without them. */
function usePrecedents({ id, questions }: Prompt): readonly Precedent[] {
  const { client } = useConsole();
  const [found, setFound] = useState<readonly Precedent[]>([]);
  const isSecret = questions.some((question) => question.isSecret);
  useEffect(() => {
    let isCurrent = true;
    setFound([]);
    if (!isSecret)
      client.prompts.precedents(id).then((precedents) => isCurrent && setFound(precedents), readFailed);
    return () => {
      isCurrent = false;
    };
  }, [client, id, isSecret]);
  return found;
}
