import { type ReactNode, useEffect, useRef } from 'react';
import { emptyPlanWords, isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { askWords } from '../../domain/words/ask-words.js';
import { markedText } from '../../domain/words/marked-text.js';
import { plainText } from '../../domain/words/plain-text.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { Markdown } from '../parts/markdown.js';
import { SheetView } from '../parts/sheet-view.js';
import { HiddenNote } from '../parts/tool-input.js';
import type { Reading } from '../parts/use-reading.js';
import type { AskedAction } from './use-asked.js';

export interface AskedProps {
  readonly prompt: Prompt;
  readonly thread: Thread | undefined;
  readonly asked: AskedAction;
}

/** What is asked: for an approval the action itself, a plan as a document; questions stand in their form. */
export function Asked({ prompt, thread, asked }: AskedProps): ReactNode {
  const { kind, action, questions } = prompt;
  const { lines, plan, reading } = asked;
  if (kind !== 'approval') {
    return isOpenPrompt(prompt)
      ? null
      : questions.map(({ question, context }) => (
          <div key={question} className="asked">
            <p>{plainText(question)}</p>
            {context !== undefined && <p className="question-context">{plainText(context)}</p>}
          </div>
        ));
  }
  return (
    <section className="action" aria-label={plan === undefined ? 'Action' : 'Plan'}>
      <h3 className="asked">{askWords(prompt, thread)}</h3>
      {action && <HiddenNote value={action} />}
      {plan === undefined ? (
        <SheetView lines={lines} onSeen={reading.see} onShow={reading.onShow} />
      ) : isEmptyPlan(action) ? (
        <p className="note is-bad">{emptyPlanWords}</p>
      ) : (
        <Plan text={plan} reading={reading} />
      )}
    </section>
  );
}

/** A plan counts as read when its end was on the screen. */
function Plan({ text, reading }: { readonly text: string; readonly reading: Reading }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const { see, onShow } = reading;
  useEffect(() => {
    onShow(() => scroller.current?.scrollBy({ top: scroller.current.clientHeight * 0.9 }));
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && see([0]),
    );
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [see, onShow]);
  return (
    <div ref={scroller} className="plan" tabIndex={0} role="region" aria-label="The plan’s text">
      <Markdown text={markedText(text)} />
      <div ref={end} className="plan-end" />
    </div>
  );
}
