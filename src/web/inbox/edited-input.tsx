import { type ReactNode, useState } from 'react';
import { failureWords } from '../parts/failure-words.js';

type Input = Readonly<Record<string, unknown>>;

/** Every field of an action's input, to be changed before it is approved; what is no text is edited as JSON. */
export function EditedInput({
  input,
  onSend,
  onLeave,
}: {
  readonly input: Input;
  readonly onSend: (input: Record<string, unknown>) => void;
  readonly onLeave: () => void;
}): ReactNode {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, textOf(value)])),
  );
  const [failure, setFailure] = useState<string>();
  const send = () => {
    try {
      onSend(
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, valueOf(input[name], text)])),
      );
    } catch (error) {
      setFailure(failureWords(error));
    }
  };
  return (
    <form
      className="edited-input"
      aria-label="Edit and approve"
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
          Approve this <kbd>Ctrl Enter</kbd>
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
