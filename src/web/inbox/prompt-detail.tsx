import { type ReactNode, useState } from 'react';
import { until } from '../../domain/age.js';
import { plainLine, plainText } from '../../domain/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useKeys } from '../keys/use-keys.js';
import { useOutside } from '../outside.js';
import { isOpen } from '../overview/overview.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { Markdown } from '../parts/markdown.js';
import { ToolInput } from '../parts/tool-input.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import { useAbilities } from './abilities.js';
import { ApprovalForm, planTool } from './approval-form.js';
import { PromptContext } from './prompt-context.js';
import { QuestionForm } from './question-form.js';
import { Settlement } from './settlement.js';
import { useAnswer } from './use-answer.js';

export interface PromptDetailProps {
  readonly prompt: Prompt;
  readonly thread: Thread | undefined;
  /** Other open prompts that are the same. */
  readonly equals: readonly Prompt[];
  readonly onAnswered: () => void;
}

/** One prompt: where it comes from, what it is about, and how it is answered. */
export function PromptDetail({ prompt, thread, equals, onAnswered }: PromptDetailProps): ReactNode {
  const { navigation } = useOutside();
  const [isTogether, setTogether] = useState(false);
  const answering = useAnswer(prompt, { isTogether: isTogether && equals.length > 0, onAnswered });
  const abilities = useAbilities(thread?.runtime);
  useKeys({
    o: () => navigation.go({ page: 'thread', threadId: prompt.threadId }),
    t: () => setTogether(!isTogether),
  });
  const isWaiting = isOpen(prompt);
  return (
    <article className="prompt" aria-label="Prompt">
      <header className="prompt-head">
        <h2>
          <Link to={{ page: 'thread', threadId: prompt.threadId }}>
            {plainLine(thread?.title ?? '') || prompt.threadId}
          </Link>
        </h2>
        <p className="note prompt-facts">
          <span>{thread?.runtime}</span>
          {thread && <WorkspaceName workspace={thread.workspace} />}
          <span>
            asked <Age at={prompt.createdAt} /> ago
          </span>
          {isWaiting && <span>{agentWords(thread)}</span>}
          {isWaiting && <Deadline prompt={prompt} />}
        </p>
      </header>
      <PromptContext prompt={prompt} />
      <Asked prompt={prompt} />
      {isWaiting ? (
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
    </article>
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

function Deadline({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const now = useNow(useOutside().clock);
  if (prompt.deadline === undefined) return null;
  return (
    <span>
      {until(prompt.deadline, now)}, then {prompt.onUnanswered.replace('_', ' ')}
    </span>
  );
}

function agentWords(thread: Thread | undefined): string {
  if (thread?.status.state !== 'question') return '';
  return thread.status.held ? 'held: its process waits' : plainLine(thread.status.why);
}
