import { type ReactNode, useState } from 'react';
import { plainLine, plainText } from '../../domain/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useKeys } from '../keys/use-keys.js';
import { isOpen } from '../overview/overview.js';
import { Markdown } from '../parts/markdown.js';
import { planTool } from '../parts/prompt-words.js';
import { ToolInput } from '../parts/tool-input.js';
import { useAbilities } from './abilities.js';
import { ApprovalForm } from './approval-form.js';
import { QuestionForm } from './question-form.js';
import { Settlement } from './settlement.js';
import { useAnswer } from './use-answer.js';

export interface PromptAnswerProps {
  readonly prompt: Prompt;
  readonly thread: Thread | undefined;
  /** Other open prompts that are the same. */
  readonly equals?: readonly Prompt[];
  readonly onAnswered?: () => void;
}

/** What a prompt asks, and every way to answer it; once it is settled, how. */
export function PromptAnswer({ prompt, thread, equals = [], onAnswered }: PromptAnswerProps): ReactNode {
  const [isTogether, setTogether] = useState(false);
  const answering = useAnswer(prompt, { isTogether: isTogether && equals.length > 0, onAnswered });
  const abilities = useAbilities(thread?.runtime);
  useKeys({ t: () => setTogether(!isTogether) });
  return (
    <>
      <Asked prompt={prompt} />
      {isOpen(prompt) ? (
        <>
          {equals.length > 0 && (
            <label className="together">
              <input
                type="checkbox"
                checked={isTogether}
                onChange={(event) => setTogether(event.target.checked)}
              />
              Answer all {equals.length + 1} equal prompts together <kbd>t</kbd>
            </label>
          )}
          {prompt.kind === 'approval' ? (
            <ApprovalForm prompt={prompt} answering={answering} abilities={abilities} />
          ) : (
            <QuestionForm prompt={prompt} answering={answering} />
          )}
          <p className="note">
            <button type="button" className="plain" disabled={answering.isSending} onClick={answering.cancel}>
              Cancel the question
            </button>
            the agent hears that nobody answered
          </p>
        </>
      ) : (
        <Settlement prompt={prompt} />
      )}
      <p role="alert" className="note is-bad">
        {answering.failure}
      </p>
    </>
  );
}

/** What is asked: for an approval the action itself, a plan as a document; questions stand in their form. */
function Asked({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const { kind, action, questions } = prompt;
  if (action?.tool === planTool) {
    const { plan } = action.input;
    return (
      <section className="plan" aria-label="Plan">
        <Markdown text={typeof plan === 'string' ? plan : JSON.stringify(action.input, null, 2)} />
      </section>
    );
  }
  if (kind !== 'approval') {
    return isOpen(prompt)
      ? null
      : questions.map(({ question }) => (
          <p key={question} className="asked">
            {plainText(question)}
          </p>
        ));
  }
  return (
    <section className="action" aria-label="Action">
      {questions.map(({ question }) => (
        <p key={question} className="asked">
          {plainText(question)}
        </p>
      ))}
      {action && (
        <>
          <h3>{plainLine(action.tool)}</h3>
          <ToolInput input={action.input} />
        </>
      )}
    </section>
  );
}
