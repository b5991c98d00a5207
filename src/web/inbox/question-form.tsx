import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { askingServer } from '../../domain/prompts/thread-prompt.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { useKeys } from '../keys/use-keys.js';
import { useDraft } from '../parts/use-draft.js';
import { answersOf, Choice, noChoice, toggled, worded } from './choice.js';
import type { Answering } from './use-answer.js';

/** Questions with their options, answered by number, by click or in words. */
export function QuestionFields({
  prompt,
  answering,
}: {
  readonly prompt: Prompt;
  readonly answering: Answering;
}): ReactNode {
  const { questions } = prompt;
  const [choices, setChoices] = useDraft<readonly Choice[]>(
    // A secret is kept nowhere.
    questions.some(({ isSecret }) => isSecret) ? undefined : `answer ${prompt.id}`,
    z.array(Choice).length(questions.length),
    questions.map(() => noChoice),
  );
  const [current, setCurrent] = useState(0);
  const answers = answersOf(questions, choices);

  const choose = (place: number, choice: Choice) => {
    const next = choices.map((each, index) => (index === place ? choice : each));
    setChoices(next);
    return next;
  };
  const send = (given = choices) => {
    const ready = answersOf(questions, given);
    if (ready) answering.send({ answers: ready });
  };
  const pick = (number: number) => {
    if (!answering.mayDecide()) return;
    const question = questions[current];
    const option = question?.options[number - 1];
    if (!question || !option) return;
    const next = choose(current, toggled(question, choices[current] ?? noChoice, option.label));
    if (question.multiSelect) return;
    // One key answers one question; of several, the next one is asked.
    if (questions.length === 1) send(next);
    else setCurrent(Math.min(current + 1, questions.length - 1));
  };
  useKeys({
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [String(index + 1), () => pick(index + 1)]),
    ),
    Enter: () => {
      if (!answering.mayDecide()) return;
      if (answers) send();
      else setCurrent(Math.min(current + 1, questions.length - 1));
    },
  });

  return (
    <form
      className="question-form"
      aria-label="Answer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {questions.map((question, place) => (
        <QuestionField
          key={place}
          name={`question-${place}`}
          number={questions.length > 1 ? place + 1 : undefined}
          isCurrent={questions.length > 1 && place === current}
          question={question}
          choice={choices[place] ?? noChoice}
          onChange={(choice) => {
            setCurrent(place);
            choose(place, choice);
          }}
          onSend={() => send()}
        />
      ))}
      <div className="answer-row">
        <button type="submit" className="primary" disabled={answers === null || answering.isSending}>
          Send <kbd>Enter</kbd>
        </button>
        {askingServer(prompt) !== undefined && (
          <button
            type="button"
            disabled={answering.isSending}
            onClick={() => answering.send({ decision: { approved: false } })}
          >
            Decline
          </button>
        )}
      </div>
    </form>
  );
}

interface QuestionFieldProps {
  readonly name: string;
  readonly number: number | undefined;
  readonly isCurrent: boolean;
  readonly question: Question;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
  readonly onSend: () => void;
}

function QuestionField({ name, number, isCurrent, question, choice, onChange, onSend }: QuestionFieldProps) {
  const { options, multiSelect, isSecret } = question;
  const [looked, setLooked] = useState<string>();
  // Nobody has looked at one yet: the first one's shows that there is something to look at.
  const inSight = looked ?? choice.labels.at(-1) ?? options[0]?.label;
  const shown = options.find(({ label }) => label === inSight)?.preview;
  const hasPreviews = options.some(({ preview }) => preview);
  const words = plainText(question.question);
  return (
    <fieldset className={isCurrent ? 'question is-current' : 'question'}>
      <legend>
        {number !== undefined && <span className="question-number">{number}) </span>}
        {words}
      </legend>
      {question.context !== undefined && <p className="question-context">{plainText(question.context)}</p>}
      <div className={hasPreviews ? 'options has-previews' : 'options'}>
        <div className="option-list">
          {options.map(({ label, description }, index) => (
            <label
              key={label}
              className={choice.labels.includes(label) ? 'option is-chosen' : 'option'}
              onMouseEnter={() => setLooked(label)}
              onFocus={() => setLooked(label)}
            >
              <input
                type={multiSelect ? 'checkbox' : 'radio'}
                name={name}
                checked={choice.labels.includes(label)}
                onChange={() => onChange(toggled(question, choice, label))}
              />
              {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
              <span>
                <span className="option-label">{plainLine(label)}</span>
                {description && description !== label && (
                  <span className="option-about">{plainLine(description)}</span>
                )}
              </span>
            </label>
          ))}
          <FreeText
            isSecret={isSecret === true}
            isOnly={options.length === 0}
            text={choice.text}
            onChange={(text) => onChange(worded(question, choice, text))}
            onSend={onSend}
          />
        </div>
        {hasPreviews && (
          <pre className="preview" tabIndex={0} aria-label="Preview" aria-live="polite">
            {shown === undefined ? 'No preview for this option.' : plainText(shown)}
          </pre>
        )}
      </div>
    </fieldset>
  );
}

interface FreeTextProps {
  readonly isSecret: boolean;
  readonly isOnly: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

function FreeText({ isSecret, isOnly, text, onChange, onSend }: FreeTextProps): ReactNode {
  const common = {
    'aria-label': isOnly ? 'Your answer' : 'Something else',
    placeholder: isSecret ? 'Secret: it is not stored' : isOnly ? 'Your answer' : 'Something else…',
    value: text,
  };
  if (isSecret) {
    return (
      <input
        type="password"
        autoComplete="off"
        {...common}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <textarea
      {...common}
      rows={isOnly ? 3 : 1}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}
