import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { PromptId } from '../../protocol/id.js';
import { useDraft } from '../parts/use-draft.js';

type Input = Readonly<Record<string, unknown>>;

/** Every field of an action's input, to be changed before it is approved; what is no text is edited as JSON. */
export function EditedInput({
  promptId,
  input,
  onSend,
  onLeave,
}: {
  readonly promptId: PromptId;
  readonly input: Input;
  readonly onSend: (input: Record<string, unknown>) => void;
  readonly onLeave: () => void;
}): ReactNode {
  const [texts, setTexts] = useDraft<Readonly<Record<string, string>>>(
    `edit ${promptId}`,
    z.record(z.string(), z.string()),
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, textOf(value)])),
  );
  const [failure, setFailure] = useState<string>();
  const send = () => {
    try {
      onSend(
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, valueOf(input[name], text)])),
      );
    } catch (error) {
      setFailure(errorSentence(error));
    }
  };
  return (
    <form
      className="edited-input"
      aria-label="Change it first"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {Object.entries(texts).map(([name, text], index) => (
        <label key={name}>
          {name}
          <textarea
            autoFocus={index === 0}
            rows={Math.min(12, text.split('\n').length + 1)}
            spellCheck={false}
            value={text}
            onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Escape') onLeave();
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
            }}
          />
        </label>
      ))}
      <div className="answer-row">
        <button type="submit" className="primary">
          Approve the changed input <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" className="plain" onClick={onLeave}>
          Back
        </button>
      </div>
      <p role="alert" className="note is-bad">
        {failure}
      </p>
    </form>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function valueOf(before: unknown, text: string): unknown {
  return typeof before === 'string' ? text : JSON.parse(text);
}
