import './inbox.css';
import './prompt.css';
import '../parts/parts.css';
import './row-answer.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { forgetDraft } from '../parts/use-draft.js';
import { Asked } from './asked.js';
import { EqualPrompts } from './equal-prompts.js';
import { Precedents } from './precedents.js';
import { QuestionFields } from './question-form.js';
import { RowApproval } from './row-approval.js';
import { Settlement } from './settlement.js';
import { useAnswer } from './use-answer.js';
import { useAsked } from './use-asked.js';

/** A short prompt, answered where it stands in a list; what takes more than yes, no or an option is answered on its page. */
export default function RowAnswer({
  prompt,
  thread,
  equals,
  onAnswered,
  onClose,
}: {
  readonly prompt: Prompt;
  readonly thread: Thread;
  /** Others of the list that ask the same. */
  readonly equals: readonly Prompt[];
  readonly onAnswered: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { navigation } = useConsole();
  const [isTogether, setTogether] = useState(false);
  const answering = useAnswer(prompt, {
    together: isTogether ? equals : [],
    onAnswered: () => {
      forgetDraft(`answer ${prompt.id}`);
      onAnswered();
    },
  });
  const asked = useAsked(prompt, thread);
  const section = useRef<HTMLElement>(null);
  // Its keys are for the answer, and not for the button that opened it.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('.thread-answer'))
      section.current?.focus({ preventScroll: true });
  }, []);
  const open = () => navigation.go({ page: 'inbox', promptId: prompt.id });
  useKeys({ o: open, ...(equals.length > 0 && { t: () => setTogether(!isTogether) }) });
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="row-answer"
      aria-label={`Answer ${plainLine(thread.title) || thread.id}`}
      aria-busy={!answering.isSteady}
    >
      {isOpenPrompt(prompt) ? (
        <>
          <Asked prompt={prompt} thread={thread} asked={asked} />
          <Precedents prompt={prompt} answering={answering} reading={asked.reading} />
          <EqualPrompts equals={equals} isTogether={isTogether} onChange={setTogether} />
          {prompt.kind === 'approval' ? (
            <RowApproval noteId={`unread-${prompt.id}`} answering={answering} reading={asked.reading} />
          ) : (
            <QuestionFields prompt={prompt} answering={answering} />
          )}
        </>
      ) : (
        <Settlement prompt={prompt} />
      )}
      <p className="note row-answer-foot">
        <button type="button" className="plain" onClick={open}>
          Open <kbd>o</kbd>
        </button>
        <button type="button" className="plain" onClick={onClose}>
          Close <kbd>Space</kbd>
        </button>
        <span role="status">{answering.hint}</span>
      </p>
      <p role="alert" className="note is-bad">
        {answering.failure}
      </p>
    </section>
  );
}
