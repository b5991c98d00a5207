import { type ReactNode, useId, useState } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { AgentModel } from '../../protocol/agent-report.js';
import type { ThreadId } from '../../protocol/id.js';
import { useConsole } from '../console-context.js';

/** The model of the agent: picked from those that the agent names, or typed where it is none of them. */
export function ModelField({
  threadId,
  model,
  isDisabled,
  onSet,
}: {
  readonly threadId: ThreadId;
  readonly model: string;
  readonly isDisabled: boolean;
  readonly onSet: (model: string) => void;
}): ReactNode {
  const { client } = useConsole();
  const list = useId();
  const [text, setText] = useState(model);
  const [models, setModels] = useState<readonly AgentModel[]>([]);
  const isChanged = text.trim() !== '' && text.trim() !== model;
  // Asked when somebody wants to choose, and not by everybody who looks; where the agent cannot tell, it is typed.
  const load = () => {
    if (models.length === 0) client.threads.models(threadId).then(setModels, () => {});
  };
  return (
    <form
      className="control-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSet(text.trim());
      }}
    >
      <input
        aria-label="Model"
        placeholder="default model"
        disabled={isDisabled}
        value={text}
        list={list}
        onFocus={load}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={list}>
        {models.map(({ id, name }) => (
          <option key={id} value={id}>
            {plainLine(name ?? id)}
          </option>
        ))}
      </datalist>
      {isChanged && <button type="submit">Set</button>}
    </form>
  );
}
