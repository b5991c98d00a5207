import { seenFolder } from '../../domain/container/seen-folder.js';
import './prompt.css';
import { type ReactNode, useEffect, useState } from 'react';
import { answeringScope } from '../../domain/prompts/answering-scope.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useKeys } from '../keys/use-keys.js';
import { forgetDraft } from '../parts/use-draft.js';
import { useMay } from '../rights.js';
import { useAbilities } from './abilities.js';
import { ApprovalForm } from './approval-form.js';
import { Asked } from './asked.js';
import { EqualPrompts } from './equal-prompts.js';
import { Precedents } from './precedents.js';
import { QuestionFields } from './question-form.js';
import { Settlement } from './settlement.js';
import { useAnswer } from './use-answer.js';
import { useAsked } from './use-asked.js';

export interface PromptAnswerProps {
  readonly prompt: Prompt;
  readonly thread: Thread | undefined;
  /** Other open prompts that are the same. */
  readonly equals?: readonly Prompt[];
  readonly onAnswered?: () => void;
  /** Leads to what waits next, once this one is settled. */
  readonly onNext?: (() => void) | undefined;
}

/** What a prompt asks, and every way to answer it; once it is settled, how. */
export function PromptAnswer({
  prompt,
  thread,
  equals = [],
  onAnswered,
  onNext,
}: PromptAnswerProps): ReactNode {
  const [isTogether, setTogether] = useState(false);
  const answering = useAnswer(prompt, { together: isTogether ? equals : [], onAnswered });
  const asked = useAsked(prompt, thread);
  const abilities = useAbilities(thread?.runtime);
  const isOpen = isOpenPrompt(prompt);
  const needed = answeringScope(prompt);
  const canAnswer = useMay(needed);
  useEffect(() => {
    if (!isOpen) for (const what of ['answer', 'deny', 'edit']) forgetDraft(`${what} ${prompt.id}`);
  }, [isOpen, prompt.id]);
  useKeys({ t: () => setTogether(!isTogether) });
  return (
    <>
      <Asked prompt={prompt} thread={thread} asked={asked} />
      <div
        className={prompt.kind === 'approval' ? 'prompt-foot' : 'prompt-foot has-questions'}
        aria-busy={isOpen && !answering.isSteady}
      >
        {isOpen && !canAnswer ? (
          <p className="note" role="status">
            This waits for somebody who may {needed === 'approve' ? 'approve' : 'answer'}: your access does
            not have the scope {needed}.
          </p>
        ) : isOpen ? (
          <>
            <Precedents prompt={prompt} answering={answering} reading={asked.reading} />
            <EqualPrompts equals={equals} isTogether={isTogether} onChange={setTogether} />
            {prompt.kind === 'approval' ? (
              <ApprovalForm
                prompt={prompt}
                folder={seenFolder(thread)}
                answering={answering}
                abilities={abilities}
                reading={asked.reading}
              />
            ) : (
              <QuestionFields prompt={prompt} answering={answering} />
            )}
            <p className="note">
              <button
                type="button"
                className="plain"
                title="The agent is told that nobody answers"
                disabled={answering.isSending}
                onClick={answering.cancel}
              >
                Leave unanswered
              </button>{' '}
              <span role="status">{answering.hint}</span>
            </p>
          </>
        ) : (
          <Settlement prompt={prompt} onNext={onNext} />
        )}
        <p role="alert" className="note is-bad">
          {answering.failure}
        </p>
      </div>
    </>
  );
}
